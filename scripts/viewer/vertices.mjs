// Compares the vertices that the page draws, read back from its shader, with an independent
// evaluation of the same file converted to GLB.

import { basename, join, resolve } from 'node:path';
import { diagonal, farthestInOrder, farthestOfSets } from '../consumers/compare.mjs';
import { readGlb, timesOf } from '../consumers/glb.mjs';
import { convert, places, run } from '../consumers/tools.mjs';

const MOST_ANIMATIONS = 8;
const TIMES = 5;
/** The page bakes waves more finely than `convert` does. */
const TOLERANCE = ['--tolerance', '0.0001'];

/** Writes the page of a file with its companions. Returns its path. */
export function view(animfmt, [input, ...companions], out, extra = []) {
  const output = resolve(out, `${basename(input)}.html`);
  run([animfmt, 'view', input, ...companions.flatMap((file) => ['--with', file]), '-o', output, '--force', '--no-open', '--quiet', ...extra]);
  return output;
}

/** The greatest distance of a vertex from where it should be, relative to the size of the model. */
export async function measure(browser, animfmt, inputs, { out, pictures }) {
  const glb = join(out, `${basename(inputs[0])}.glb`);
  convert(animfmt, inputs, glb, TOLERANCE);
  const { animations } = readGlb(glb);
  const moments = animations.slice(0, MOST_ANIMATIONS).flatMap((animation, number) => spread(timesOf(animation)).map((seconds) => ({ number, seconds })));
  moments.push({ number: null, seconds: 0 });
  const wanted = places('glb', [glb], moments.map(({ number, seconds }) => (number === null ? '@' : `${number}@${seconds}`)));
  const size = Math.max(...wanted.map(diagonal)) || 1;
  const { page, said } = await browser.open(view(animfmt, inputs, out));
  const states = await page.evaluate(() => window.animfmt.page.first.states !== null);
  const names = await page.evaluate(() => window.animfmt.page.first.model.animations.map(({ name }) => name));
  let error = 0;
  for (const [i, { number, seconds }] of moments.entries()) {
    // The clips of states are longer on the page, but equal to their end.
    const found = Float64Array.from(await page.evaluate((animation, time) => {
      window.animfmt.show(animation, time);
      return [...window.animfmt.vertices()];
    }, number === null ? null : states ? names.indexOf(animations[number].sourceName) : number, seconds));
    const distance = found.length === wanted[i].length ? farthestInOrder(found, wanted[i]) : farthestOfSets(found, wanted[i]);
    error = Math.max(error, distance / size);
  }
  const problems = [...said];
  if (names.length !== animations.length) problems.push(`the page has ${names.length} animations, the GLB ${animations.length}`);
  if (pictures) await page.screenshot({ path: join(out, `${basename(inputs[0])}.png`) });
  await page.close();
  return { name: basename(inputs[0]), error, moments: moments.length, problems };
}

/** Some of the times, evenly. */
function spread(times) {
  const count = Math.min(TIMES, times.length);
  return Array.from({ length: count }, (_, i) => times[Math.round((i * (times.length - 1)) / Math.max(count - 1, 1))]);
}
