// glTF-Transform: rewrites a GLB, either unchanged or with common lossless optimisations:
// node gltf-transform.mjs copy|tidy IN.glb OUT.glb

import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { dedup, prune, resample, weld } from '@gltf-transform/functions';

const [how, input, output] = process.argv.slice(2);
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
const document = await io.read(input);
document.setLogger(new Logger(Logger.Verbosity.SILENT));
if (how === 'tidy') {
  await document.transform(dedup(), weld(), resample({ tolerance: 1e-6 }), prune());
}
await io.write(output, document);
