// The protocol between run.mjs and the scripts for other programs, which receive a GLB and times and
// return points.

/** `B@seconds`, `A>B@seconds` (plays A before B) or `@` (the rest pose); clips are indices. */
export function parseMoment(text) {
  const [clips, seconds] = text.split('@');
  if (clips === '') return { before: null, animation: null, seconds: 0 };
  const numbers = clips.split('>').map(Number);
  const before = numbers.length === 2 ? numbers[0] : null;
  return { before, animation: numbers.at(-1), seconds: Number(seconds) };
}

/**
 * The points at one time: their number as a little-endian u32, then x, y and z of each as f64, as in
 * the output of `crates/test-oracle/examples/corners.rs`.
 */
export function encode(points) {
  const bytes = Buffer.alloc(4 + points.length * 8);
  bytes.writeUInt32LE(points.length / 3);
  points.forEach((x, i) => bytes.writeDoubleLE(x, 4 + i * 8));
  return bytes;
}

/** One Float64Array of x, y, z per time. */
export function decode(bytes) {
  const moments = [];
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.readUInt32LE(at) * 3;
    const points = Float64Array.from({ length: count }, (_, i) => bytes.readDoubleLE(at + 4 + i * 8));
    moments.push(points);
    at += 4 + count * 8;
  }
  return moments;
}

/** Runs a script with the arguments `GLB MOMENT…` and then writes the points at all times. */
export async function answer(evaluatorOf) {
  const [file, ...moments] = process.argv.slice(2);
  const evaluate = await evaluatorOf(file);
  const answers = [];
  for (const text of moments) {
    answers.push(encode(await evaluate(parseMoment(text))));
  }
  const all = Buffer.concat(answers);
  await new Promise((done) => process.stdout.write(all, done));
  process.exit(0);
}
