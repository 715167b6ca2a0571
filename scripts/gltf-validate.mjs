// Runs the Khronos glTF validator on files: node scripts/gltf-validate.mjs [--quiet] FILE…
//
// Prints the counts and messages for each file; with `--quiet`, only errors and warnings. Exits with
// status 1 on errors or warnings and 2 on usage errors. Run `npm ci` in this folder first.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { validateBytes } from 'gltf-validator';

const SEVERITIES = ['error', 'warning', 'info', 'hint'];

const files = process.argv.slice(2).filter((argument) => argument !== '--quiet');
const quiet = process.argv.includes('--quiet');
if (files.length === 0) {
  console.error('usage: node gltf-validate.mjs [--quiet] FILE…\n  --quiet  errors and warnings only');
  process.exit(2);
}

// Reads a companion file, whose URI is relative to the file's folder.
async function readBeside(file, uri) {
  return new Uint8Array(await readFile(resolve(dirname(file), decodeURIComponent(uri))));
}

let failed = false;
for (const file of files) {
  try {
    const report = await validateBytes(new Uint8Array(await readFile(file)), {
      uri: file,
      maxIssues: 100,
      externalResourceFunction: (uri) => readBeside(file, uri),
    });
    const { numErrors, numWarnings, numInfos, numHints, messages, truncated } = report.issues;
    const bad = numErrors + numWarnings > 0;
    failed ||= bad;
    if (bad || !quiet) {
      console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
    }
    for (const { severity, code, message, pointer } of messages) {
      if (severity <= 1 || !quiet) {
        console.log(`  ${SEVERITIES[severity]} ${code} ${pointer ?? ''}: ${message}`);
      }
    }
    if (truncated && !quiet) {
      console.log('  … and more');
    }
  } catch (error) {
    failed = true;
    console.log(`${file}: ${error.message ?? error}`);
  }
}
process.exit(failed ? 1 : 0);
