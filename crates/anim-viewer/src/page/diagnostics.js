// The problems of a file, each with the line of its source.

import { element } from './panel.js';

const TITLES = { error: 'error', warning: 'warning', note: 'note', loss: 'loss', fixed: 'fixed' };

/** A list of the problems of a file, as the program describes them. */
export function problemList({ diagnostics, more }) {
  const items = diagnostics.map(({ severity, code, message, help, place, file, source }) => {
    const where = [file, place].filter(Boolean).join(':');
    const head = element('p', { className: 'problem-head' }, [
      element('span', { className: `badge ${severity}` }, [TITLES[severity] ?? severity]),
      ...(code ? [element('code', {}, [code])] : []),
      ...(where ? [element('span', { className: 'place' }, [where])] : []),
    ]);
    const parts = [head, element('p', { className: 'problem-text' }, [message])];
    if (source) {
      parts.push(element('pre', { className: 'source', tabIndex: 0, ariaLabel: 'Source line' }, [source.before, element('mark', {}, [source.marked || ' ']), source.after]));
    }
    if (help) parts.push(element('p', { className: 'help' }, [help]));
    return element('li', { className: 'problem' }, parts);
  });
  return element('ul', { className: 'problems' }, [...items, ...more.map((text) => element('li', { className: 'more' }, [text]))]);
}

/** How many problems of each severity files have: `2 errors, 1 warning`. */
export function problemCount(files) {
  const all = files.flatMap(({ diagnostics }) => diagnostics.map(({ severity }) => severity));
  const count = (severity, name) => {
    const number = all.filter((own) => own === severity).length;
    return number === 0 ? [] : [`${number} ${name}${number === 1 ? '' : severity === 'loss' ? 'es' : 's'}`];
  };
  return [...count('error', 'error'), ...count('warning', 'warning'), ...count('note', 'note'), ...count('loss', 'loss')].join(', ');
}
