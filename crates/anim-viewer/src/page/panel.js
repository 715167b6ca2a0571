// Builds parts of the page. Text is only ever set as text, since names come from files.

/** Creates an element with properties and children; strings become text. */
export function element(name, properties = {}, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key === 'dataset') Object.assign(made.dataset, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

export const find = (id) => document.getElementById(id);

/** The list of clips or states, of which one is chosen. */
export class ChoiceList {
  constructor(list, onChoose) {
    Object.assign(this, { list, onChoose });
  }

  /** `notes`: what to show beside each name. */
  set(entries) {
    this.buttons = entries.map(({ name, note, group }, number) => {
      const button = element('button', { type: 'button', className: 'choice', onclick: (event) => this.onChoose(number, event) }, [
        element('span', { className: 'number' }, [number < 9 ? String(number + 1) : '']),
        element('span', { className: 'name' }, [name || '(unnamed)']),
        element('span', { className: 'note' }, [note]),
      ]);
      button.title = group ? `${name} (${group})` : name;
      return button;
    });
    this.list.replaceChildren(...this.buttons.map((button) => element('li', {}, [button])));
  }

  choose(chosen, waiting = null) {
    this.buttons.forEach((button, number) => {
      button.setAttribute('aria-pressed', String(number === chosen));
      button.classList.toggle('waiting', number === waiting);
    });
  }
}

export const seconds = (time) => `${time.toFixed(2)} s`;
