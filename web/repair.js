// The tab with the repairs of a file, as a diff.

import { problemList } from './viewer/diagnostics.js';
import { element } from './viewer/panel.js';
import { Panel, heading, paragraph, save } from './panels.js';
import { fileName } from './text.js';

/** Lines of a diff that are shown. */
const SHOWN = 2000;

export class Repair extends Panel {
  /** `onCompare`: shows the file before and after. `onUse`: goes on with the repaired file. */
  constructor(engine, { onCompare, onUse }) {
    super('repair', 'Repair');
    Object.assign(this, { engine, onCompare, onUse });
  }

  async make({ path, options, opened }) {
    const made = await this.engine.call(`Repairing ${path}`, 'repair', path, options);
    const left = made.left_out.length > 0 ? [heading('Not repaired'), problemList({ diagnostics: made.left_out, more: [] })] : [];
    const refused = made.refused ? [paragraph(made.refused, 'message')] : [];
    if (!made.changed) {
      const why = opened.diagnostics.length === 0 ? 'No problems, so there is nothing to repair.' : 'None of the problems has an unambiguous repair.';
      return [...(refused.length > 0 ? refused : [paragraph(why, 'large')]), ...left];
    }
    const name = fileName(path);
    const button = (text, onclick, className = '') => element('button', { type: 'button', className, onclick }, [text]);
    const buttons = element('p', { className: 'row' }, [
      button(`Download ${name}`, () => save(name, made.bytes), 'primary'),
      ...(opened.shows ? [button('Show before and after', this.onCompare)] : []),
      button('Continue with the repaired file', () => this.onUse(path, new File([made.bytes], name))),
    ]);
    return [
      heading(`${made.made.length} ${made.made.length === 1 ? 'repair' : 'repairs'}`), buttons, ...refused, diffOf(made.diff),
      heading('Repaired'), problemList({ diagnostics: made.made, more: [] }), ...left,
    ];
  }
}

function diffOf(lines) {
  const shown = lines.slice(0, SHOWN).map(({ kind, text }) => element('span', { className: `diff-${kind}` }, [`${text}\n`]));
  const rest = lines.length - shown.length;
  if (rest > 0) shown.push(element('span', { className: 'diff-end' }, [`and ${rest.toLocaleString('en')} more lines\n`]));
  const diff = element('pre', { className: 'source diff', tabIndex: 0, role: 'region' }, shown);
  diff.setAttribute('aria-label', 'Changes');
  return diff;
}
