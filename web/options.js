// Controls for options of the formats, as the module declares them.

import { element } from './viewer/panel.js';

const NUMBERS = { integer: '1', number: 'any' };

function control({ name, kind, choices, default: standard }) {
  const id = `option-${name}`;
  if (kind === 'flag') return element('input', { type: 'checkbox', id });
  if (choices) {
    const none = standard === null || !choices.includes(standard) ? [element('option', { value: '' }, [standard ?? 'automatic'])] : [];
    const select = element('select', { id }, [...none, ...choices.map((value) => element('option', { value }, [value]))]);
    select.value = none.length > 0 ? '' : standard;
    return select;
  }
  const input = element('input', { type: NUMBERS[kind] ? 'number' : 'text', id, placeholder: standard ?? '', autocomplete: 'off', spellcheck: false });
  if (NUMBERS[kind]) input.step = NUMBERS[kind];
  return input;
}

/** Controls for some options. `values` are those that differ from their defaults, by name. */
export class OptionControls {
  constructor(options, values = {}, onChange = () => {}) {
    this.fields = options.map((option) => {
      const input = control(option);
      const value = values[option.name];
      if (value !== undefined && option.kind === 'flag') input.checked = value === 'true';
      else if (value !== undefined) input.value = value;
      input.addEventListener('change', onChange);
      return { option, input };
    });
  }

  /** The controls of the options that are wanted. */
  list(isWanted = () => true) {
    return this.fields.filter(({ option }) => isWanted(option)).map(({ option, input }) => {
      const help = element('p', { id: `${input.id}-help`, className: 'dim' }, [option.help]);
      input.setAttribute('aria-describedby', help.id);
      const label = element('label', { htmlFor: input.id }, [option.name.replaceAll('-', ' ')]);
      return element('div', { className: `option of-${option.kind}` }, [label, input, help]);
    });
  }

  /** The settings that were changed. */
  get values() {
    const entries = this.fields.map(({ option, input }) => {
      if (option.kind === 'flag') return input.checked ? [option.name, 'true'] : null;
      const isStandard = input.value === '' || input.value === option.default;
      return isStandard ? null : [option.name, input.value];
    });
    return Object.fromEntries(entries.filter(Boolean));
  }
}
