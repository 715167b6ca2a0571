// The tab with the problems of a file, and facts about it.

import { problemList } from './viewer/diagnostics.js';
import { element } from './viewer/panel.js';
import { Panel, heading, paragraph } from './panels.js';
import { size } from './text.js';

export class Problems extends Panel {
  /** `onRepair`: shows the repairs. */
  constructor(onRepair) {
    super('problems', 'Problems');
    this.onRepair = onRepair;
  }

  make({ opened }) {
    const { diagnostics, totals_text: total, fixable, more } = opened;
    if (diagnostics.length === 0) return [paragraph('No problems.', 'large')];
    const repair = element('button', { type: 'button', onclick: this.onRepair }, ['Show the repairs']);
    return [heading(total), ...(fixable ? [element('p', {}, [repair])] : []), problemList({ diagnostics, more })];
  }
}

export class Facts extends Panel {
  constructor() {
    super('facts', 'Facts');
  }

  make({ path, options, opened, bytes }) {
    const { title, dialect, summary, clips, verdicts, totals_text: total } = opened;
    const facts = [
      ['File', path],
      ['Size', size(bytes)],
      ['Format', dialect ? `${title}, dialect ${dialect}` : title],
      ['Content', summary],
      ['Used with', options.with.join(', ')],
      ['Clips', clips.join(', ')],
      ['Problems', total],
      ...verdicts.map(({ judge, accepts, text }) => [judge, `${accepts ? 'accepts it' : 'rejects it'}${text ? `: ${text}` : ''}`]),
    ];
    const rows = facts.filter(([, text]) => text).flatMap(([name, text]) => [element('dt', {}, [name]), element('dd', {}, [text])]);
    return [element('dl', {}, rows)];
  }
}
