// What the scripts that measure other programs share: running programs, converting files, and the
// independent evaluator.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from './moments.mjs';

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = resolve(HERE, '../..');
const MINUTE = 60_000;
const CORNERS = join(ROOT, 'target/debug/examples/corners');

/** Runs a program and returns its standard output. Throws its error output if it fails. */
export function run(command) {
  return runAll(command).stdout;
}

/** Runs a program and returns what it writes to both outputs. Throws its error output if it fails. */
export function runAll([program, ...parameters]) {
  const child = spawnSync(program, parameters, { maxBuffer: 2 ** 30, timeout: 5 * MINUTE });
  if (child.error) throw child.error;
  if (child.status !== 0) {
    if (child.signal) throw new Error(`crash (${child.signal})`);
    const lines = child.stderr.toString().trim().split('\n');
    const said = lines.findLast((line) => /^\w*error\b|panicked/i.test(line)) ?? lines.at(-1) ?? '';
    throw new Error(`exit ${child.status} ${said}`.trim());
  }
  return child;
}

/** Builds the evaluator, and `animfmt` unless its path is known. Returns the path of `animfmt`. */
export function build(animfmt) {
  const cargo = (...parameters) => execFileSync('cargo', ['build', '--quiet', ...parameters], { cwd: ROOT, stdio: 'inherit' });
  if (!existsSync(CORNERS) || !animfmt) cargo('--package', 'test-oracle', '--example', 'corners');
  if (animfmt) return animfmt;
  cargo('--package', 'anim-cli');
  return join(ROOT, 'target/debug/animfmt');
}

/** Evaluates files at times, as `crates/test-oracle/examples/corners.rs` describes. */
export const places = (kind, files, moments) => decode(run([CORNERS, kind, ...files, ...moments]));

/** Converts an input and its companions. Returns the messages. */
export function convert(animfmt, [input, ...companions], output, extra = []) {
  const withAll = companions.flatMap((file) => ['--with', file]);
  return runAll([animfmt, 'convert', input, ...withAll, '-o', output, '--force', ...extra]).stderr.toString();
}

/** The files listed in `fixtures.txt`, and programs with known errors for them. */
export function fixtures() {
  const list = readFileSync(join(HERE, 'fixtures.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  return list.map((line) => {
    const [files, ...known] = line.split(' ! ');
    const inputs = files.split('+').map((part) => join(ROOT, 'testdata', part));
    return { inputs, known: known.map((text) => text.split(':')[0]) };
  });
}
