// Makes a glTF file with a square that faces the camera.

import { crc32, deflateSync } from 'node:zlib';

/** A PNG with one grey pixel. */
function greyPng(value) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from([0, value, value, value]));
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A file with this material; with a colour for all vertices, or a texture of one grey. */
export function quad(material, { color, texture } = {}) {
  const positions = [-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0];
  const colors = color ? [...color, ...color, ...color, ...color] : [];
  const texcoords = texture ? [0, 1, 1, 1, 0, 0, 1, 0] : [];
  const floats = Float32Array.from([...positions, ...colors, ...texcoords]);
  const indices = Uint16Array.from([0, 1, 2, 2, 1, 3]);
  const image = texture ? greyPng(188) : Buffer.alloc(0);
  const bytes = Buffer.concat([Buffer.from(floats.buffer), Buffer.from(indices.buffer), image]);
  const accessors = [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 4, min: [-1, -1, 0], max: [1, 1, 0] }, { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 6 }];
  const attributes = { POSITION: 0 };
  const more = (name, type, from) => {
    attributes[name] = accessors.length;
    accessors.push({ bufferView: 0, byteOffset: from * 4, componentType: 5126, type, count: 4 });
  };
  if (color) more('COLOR_0', 'VEC4', 12);
  if (texture) more('TEXCOORD_0', 'VEC2', 12);
  const used = texture ? { ...material, pbrMetallicRoughness: { ...material.pbrMetallicRoughness, baseColorTexture: { index: 0 } } } : material;
  return {
    asset: { version: '2.0' },
    extensionsUsed: used.extensions ? Object.keys(used.extensions) : undefined,
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes, indices: 1, material: 0 }] }],
    materials: [used],
    ...(texture ? { textures: [{ source: 0 }], images: [{ bufferView: 2, mimeType: 'image/png' }] } : {}),
    accessors,
    bufferViews: [
      { buffer: 0, byteLength: floats.byteLength },
      { buffer: 0, byteOffset: floats.byteLength, byteLength: indices.byteLength },
      ...(texture ? [{ buffer: 0, byteOffset: floats.byteLength + indices.byteLength, byteLength: image.length }] : []),
    ],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  };
}
