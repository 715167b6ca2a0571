// Babylon.js: glTF loader and AnimationGroups in headless mode. Vertices are deformed on the CPU in
// the same way as in its shaders.

import { readFile } from 'node:fs/promises';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/core/Animations/animatable.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { answer } from './moments.mjs';

Logger.LogLevels = Logger.NoneLogLevel;

/** Loads a fresh copy of a file, because nodes keep their pose when a group is stopped. */
async function open(bytes) {
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = true;
  const loaded = await ImportMeshAsync(bytes, scene, {
    pluginExtension: '.glb',
    pluginOptions: { gltf: { animationStartMode: 0 } },
  });
  const groups = loaded.animationGroups;
  const pointers = (object) => object._internalMetadata?.gltf?.pointers ?? [];
  const numberIn = (object, pattern) => {
    for (let above = object; above; above = above.parent) {
      const found = pointers(above).map((pointer) => pattern.exec(pointer)).find(Boolean);
      if (found) return Number(found[1]);
    }
    return -1;
  };
  const nodeOf = (object) => numberIn(object, /^\/nodes\/(\d+)$/);
  const primitiveOf = (mesh) => numberIn(mesh, /^\/meshes\/\d+\/primitives\/(\d+)$/);
  const drawn = loaded.meshes
    .filter((mesh) => mesh.getTotalVertices() > 0)
    .map((mesh) => ({ mesh, node: nodeOf(mesh), primitive: primitiveOf(mesh) }))
    .sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const nodes = scene.transformNodes
    .concat(loaded.meshes)
    .filter((node) => pointers(node).some((pointer) => /^\/nodes\/\d+$/.test(pointer)))
    .sort((a, b) => nodeOf(a) - nodeOf(b));

  const play = (number, seconds) => {
    const group = groups[number];
    group.start(false);
    group.pause();
    // The loader uses 60 frames per second.
    group.goToFrame(seconds * 60);
    return group;
  };

  return ({ before, animation, seconds }) => {
    if (before !== null) play(before, groups[before].to / 60 / 2).stop();
    const group = animation === null ? null : play(animation, seconds);
    for (const node of scene.transformNodes.concat(scene.meshes)) node.computeWorldMatrix(true);
    for (const skeleton of scene.skeletons) skeleton.prepare(true);
    const points = [];
    if (drawn.length === 0) {
      for (const node of nodes) points.push(...node.getAbsolutePosition().asArray());
    }
    for (const { mesh } of drawn) {
      const positions = mesh.getPositionData(true, true);
      const world = mesh.getWorldMatrix();
      const indices = mesh.getIndices();
      const corners = indices?.length ? indices : Array(positions.length / 3).keys();
      for (const corner of corners) {
        const place = Vector3.FromArray(positions, corner * 3);
        points.push(...Vector3.TransformCoordinates(place, world).asArray());
      }
    }
    group?.stop();
    return points;
  };
}

await answer(async (file) => {
  const bytes = new Uint8Array(await readFile(file));
  let evaluate;
  let played = null;
  return async (moment) => {
    if (!evaluate || moment.before !== null || moment.animation !== played) evaluate = await open(bytes);
    played = moment.before === null ? moment.animation : null;
    return evaluate(moment);
  };
});
