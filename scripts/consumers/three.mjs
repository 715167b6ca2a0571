// three.js: GLTFLoader and AnimationMixer. Vertices are deformed on the CPU in the same way as in shaders.

import { readFile } from 'node:fs/promises';
import { answer } from './moments.mjs';

// Stubs for the browser APIs that the loader needs. A non-empty image counts as loaded.
globalThis.self = globalThis;
globalThis.createImageBitmap = async (blob) => {
  if (blob.size === 0) throw new Error('an empty image');
  return { width: 1, height: 1, close() {} };
};

const THREE = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

await answer(async (file) => {
  const bytes = await readFile(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(buffer, '');
  const { parser, animations } = gltf;
  const scene = gltf.scene;
  const nodeOf = (object) => {
    for (let above = object; above; above = above.parent) {
      const node = parser.associations.get(above)?.nodes;
      if (node !== undefined) return node;
    }
    return -1;
  };
  const drawn = [];
  scene.traverse((object) => {
    if (object.geometry) {
      const primitive = parser.associations.get(object)?.primitives ?? 0;
      drawn.push({ object, node: nodeOf(object), primitive });
    }
  });
  drawn.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const nodes = await parser.getDependencies('node');
  const mixer = new THREE.AnimationMixer(scene);

  const play = (number, seconds) => {
    const clip = animations[number];
    mixer.stopAllAction();
    const action = mixer.clipAction(clip);
    if (seconds >= clip.duration && clip.duration > 0) {
      action.setLoop(THREE.LoopOnce);
      action.clampWhenFinished = true;
    } else {
      action.setLoop(THREE.LoopRepeat);
    }
    action.reset().play();
    mixer.setTime(seconds);
  };

  return ({ before, animation, seconds }) => {
    mixer.stopAllAction();
    if (before !== null) play(before, animations[before].duration / 2);
    if (animation !== null) play(animation, seconds);
    scene.updateMatrixWorld(true);
    const points = [];
    const point = new THREE.Vector3();
    if (drawn.length === 0) {
      for (const node of nodes) points.push(...node.getWorldPosition(point).toArray());
      return points;
    }
    for (const { object } of drawn) {
      const { index, attributes } = object.geometry;
      const places = [];
      for (let i = 0; i < attributes.position.count; i += 1) {
        // Points do not have this method.
        if (object.getVertexPosition) object.getVertexPosition(i, point);
        else point.fromBufferAttribute(attributes.position, i);
        places.push(point.applyMatrix4(object.matrixWorld).toArray());
      }
      const corners = index ? Array.from(index.array) : places.keys();
      for (const corner of corners) points.push(...places[corner]);
    }
    return points;
  };
});
