// Files that were dropped or chosen, each with its path.

/** A folder with more files is refused, since the module would have to look at all of them. */
const MOST_FILES = 10_000;

/** Files of an `<input type="file">`. */
export const ofInput = (input) => [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** Whether something that is dragged has files. */
export const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

/**
 * Files that were dropped, with those in folders.
 *
 * Must be called while the event is handled: entries are gone afterwards.
 */
export async function ofDrop({ items, files }) {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.());
  if (entries.length === 0 || entries.some((entry) => !entry)) return [...files].map((file) => ({ path: file.name, file }));
  const found = [];
  const open = entries;
  while (open.length > 0) {
    const entry = open.pop();
    if (entry.isFile) found.push({ path: entry.fullPath.replace(/^\//, ''), file: await new Promise((done, fail) => entry.file(done, fail)) });
    else open.push(...await entriesOf(entry));
    if (found.length + open.length > MOST_FILES) throw new Error(`more than ${MOST_FILES.toLocaleString('en')} files: drop a smaller folder`);
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** `readEntries` returns some of the entries at a time, and none at the end. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0 || all.length > MOST_FILES) return all;
    all.push(...some);
  }
}
