// Tabs, by the pattern of the ARIA authoring practices: arrow keys move between them.

import { element } from './viewer/panel.js';

export class Tabs {
  /** `panels`: each with `id`, `title` and `element`. `onChoose`: called with an id that somebody chose. */
  constructor(list, place, panels, onChoose) {
    this.tabs = panels.map(({ id, title, element: panel }) => {
      const mark = element('span', { className: 'mark' });
      const tab = element('button', { type: 'button', id: `tab-${id}`, className: 'tab', role: 'tab', onclick: () => onChoose(id) }, [title, mark]);
      tab.setAttribute('aria-controls', `panel-${id}`);
      Object.assign(panel, { id: `panel-${id}`, role: 'tabpanel', tabIndex: 0, hidden: true });
      panel.setAttribute('aria-labelledby', tab.id);
      return { id, tab, mark, panel };
    });
    list.append(...this.tabs.map(({ tab }) => tab));
    place.append(...this.tabs.map(({ panel }) => panel));
    list.addEventListener('keydown', (event) => this.#move(event, onChoose));
  }

  #move(event, onChoose) {
    const at = this.tabs.findIndex(({ tab }) => tab === document.activeElement);
    const last = this.tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    onChoose(this.tabs[to].id);
    this.tabs[to].tab.focus();
  }

  choose(id) {
    for (const { id: own, tab, panel } of this.tabs) {
      const isChosen = own === id;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
    }
  }

  /** Text after the title of a tab, such as a number, and how bad it is. */
  mark(id, text, severity) {
    const { mark } = this.tabs.find(({ id: own }) => own === id);
    Object.assign(mark, { textContent: text, className: `mark ${severity}` });
  }
}
