// Numbers for people.

/** A size, as the program writes it: `812 bytes`, `1.2 MB`. */
export function size(bytes) {
  const units = [bytes === 1 ? 'byte' : 'bytes', 'kB', 'MB', 'GB'];
  let unit = 0;
  let value = bytes;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `1 file`, `2 files`. */
export const count = (number, name, plural = `${name}s`) => `${number.toLocaleString('en')} ${number === 1 ? name : plural}`;

/** The last part of a path. */
export const fileName = (path) => path.slice(path.lastIndexOf('/') + 1);
