// What tests of pages expect.

/** Something is not as expected. */
export class Problem extends Error {}

export function same(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Problem(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

export function holds(is, what) {
  if (!is) throw new Problem(what);
}
