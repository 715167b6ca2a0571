// Draws a model with WebGL2: skinned, morphed and textured triangles, lines and points.

import { emptyBox, grow, multiply } from './math.js';
import { LineBatch } from './lines.js';
import { ATTRIBUTES, MESH_FRAGMENT, MESH_VERTEX, PLAIN_FRAGMENT, program } from './shaders.js';

const ATTRIBUTE_WIDTHS = [3, 3, 2, 2, 4, 4, 4, 4, 4];
/** What an attribute is where a mesh has none. */
const MISSING = [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]];
const FRAGMENTS = { lit: MESH_FRAGMENT, plain: PLAIN_FRAGMENT };
const WRAPS = new Set([33071, 33648, 10497]);
/** The width of data textures, a multiple of the four texels of a matrix. */
const ROW = 4096;

/** The numbers of a part of a mesh on the graphics card, made once and shared by its nodes. */
class Geometry {
  constructor(gl, part) {
    this.gl = gl;
    this.part = part;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    const { positions, normals, texcoords, colors, joints, weights } = part;
    this.isSkinned = joints[0] !== null && weights[0] !== null;
    this.isWide = joints[1] !== null && weights[1] !== null;
    [positions, normals, texcoords[0], texcoords[1], colors, joints[0], joints[1], weights[0], weights[1]].forEach((data, place) => {
      if (!data || data.length < ATTRIBUTE_WIDTHS[place] * part.count) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, ATTRIBUTE_WIDTHS[place], data instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.FLOAT, false, 0, 0);
    });
    this.indices = buffer(gl, gl.ELEMENT_ARRAY_BUFFER, part.indices);
    gl.bindVertexArray(null);
    this.targets = part.targets.length > 0 ? this.morphs() : null;
    this.box = grow(emptyBox(), positions);
  }

  /** All morph targets in one texture: for each target, all positions and then all normals. */
  morphs() {
    const { gl, part } = this;
    this.targetParts = part.normals && part.targets.some(({ normals }) => normals) ? 2 : 1;
    const rows = Math.ceil((part.targets.length * part.count * this.targetParts) / ROW) || 1;
    if (rows > gl.getParameter(gl.MAX_TEXTURE_SIZE)) throw new Error('too many morph targets for this graphics card');
    const data = new Float32Array(rows * ROW * 3);
    part.targets.forEach(({ positions, normals }, target) => {
      const start = target * part.count * this.targetParts * 3;
      if (positions) data.set(positions, start);
      if (normals && this.targetParts === 2) data.set(normals, start + part.count * 3);
    });
    return dataTexture(gl, gl.RGB32F, gl.RGB, ROW, rows, data);
  }

  /** The edges of the triangles, each once, made when first needed. */
  edges() {
    if (this.lines) return this.lines;
    const seen = new Set();
    const out = [];
    const { indices, count } = this.part;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
        const [low, high] = [indices[i + a], indices[i + b]].sort((x, y) => x - y);
        const key = low * count + high;
        if (seen.has(key)) continue;
        seen.add(key);
        out.push(low, high);
      }
    }
    this.gl.bindVertexArray(this.array);
    this.lines = { buffer: buffer(this.gl, this.gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(out)), count: out.length };
    return this.lines;
  }
}

function buffer(gl, kind, data) {
  const made = gl.createBuffer();
  gl.bindBuffer(kind, made);
  gl.bufferData(kind, data, gl.STATIC_DRAW);
  return made;
}

function dataTexture(gl, inner, format, width, height, data) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, gl.FLOAT, data);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  return texture;
}

export class Renderer {
  constructor(canvas, model) {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, preserveDrawingBuffer: false });
    if (!gl) throw new Error('this browser cannot draw WebGL 2');
    // Everything on the graphics card is lost then.
    canvas.addEventListener('webglcontextrestored', () => location.reload());
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    Object.assign(this, { gl, canvas, model, programs: new Map(), problems: [] });
    this.lines = new LineBatch(gl);
    const geometries = model.meshes.map(({ parts }) => parts.map((part) => new Geometry(gl, part)));
    /** What is drawn, in the order of nodes and of the parts of their meshes. */
    this.drawn = model.nodes.flatMap((node) =>
      node.mesh === undefined ? [] : geometries[node.mesh].map((geometry) => ({ node, geometry, ...this.material(geometry.part) })));
    this.bones = model.skins.map(({ joints }) => {
      const rows = Math.ceil((joints.length * 4) / ROW);
      const data = new Float32Array(rows * ROW * 4);
      return { data, rows, texture: dataTexture(gl, gl.RGBA32F, gl.RGBA, ROW, rows, data) };
    });
    this.entries = dataTexture(gl, gl.RG32F, gl.RG, 1, 1, new Float32Array(2));
    this.feedback = gl.createTransformFeedback();
    this.captured = gl.createBuffer();
    // The last one is for images that could not be used when the file was converted.
    this.textures = [...model.images, undefined].map(() => this.checker());
  }

  /** Decodes the images. Until then, and in place of images that cannot be read, a checker is drawn. */
  async decode() {
    const { gl } = this;
    await Promise.all(this.model.images.map(async ({ name, blob }, number) => {
      try {
        if (!blob) throw new Error('it is not in the file');
        const image = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
        gl.bindTexture(gl.TEXTURE_2D, this.textures[number]);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        image.close();
      } catch (error) {
        this.problems.push(`image ${name || number + 1} cannot be shown: ${error.message}`);
      }
    }));
  }

  checker() {
    const { gl } = this;
    const texture = gl.createTexture();
    // That of anim-preview: squares of 4 of 16 texels.
    const data = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) => {
      const [column, row, channel] = [(i >> 4) & 3, i >> 8, i & 3];
      return ((column + row) % 2 === 0 ? [214, 60, 190, 255] : [70, 70, 78, 255])[channel];
    });
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    return texture;
  }

  material({ material, texcoords, normals, kind }) {
    const { json } = this.model;
    const { pbrMetallicRoughness: pbr = {}, emissiveFactor = [0, 0, 0], emissiveTexture, alphaMode = 'OPAQUE', alphaCutoff = 0.5, doubleSided = false, extensions, extras } = this.model.materials[material] ?? {};
    const texture = (info) => {
      const set = info?.texCoord ?? 0;
      if (!info || !texcoords[set]) return { image: -1, set: -1 };
      const { source, sampler } = json.textures[info.index];
      return { image: source ?? -1, set: source === undefined ? -1 : set, sampler: json.samplers?.[sampler] ?? {} };
    };
    const isMissing = !pbr.baseColorTexture && texcoords[0] && extras?.anim_formats?.missing_slot === 'baseColorTexture';
    const isSurface = kind === 'triangles';
    return {
      baseColor: pbr.baseColorFactor ?? [1, 1, 1, 1],
      base: isMissing ? { image: this.model.images.length, set: 0, sampler: {} } : texture(pbr.baseColorTexture),
      emissive: emissiveFactor,
      glow: texture(emissiveTexture),
      metallic: pbr.metallicFactor ?? 1,
      roughness: pbr.roughnessFactor ?? 1,
      isBlended: alphaMode === 'BLEND',
      isOpaque: alphaMode === 'OPAQUE',
      cutoff: alphaMode === 'MASK' ? alphaCutoff : -1,
      doubleSided: doubleSided || !isSurface,
      isFlat: !normals,
      isUnlit: Boolean(extensions?.KHR_materials_unlit) || (!isSurface && !normals),
    };
  }

  /** Takes over the pose: the matrices of the nodes, what is hidden, and morph weights. */
  setPose(pose, { matrices, shown }) {
    const { gl, model } = this;
    Object.assign(this, { pose, matrices, shown });
    const matrix = new Float64Array(16);
    model.skins.forEach(({ joints, binds }, number) => {
      const { data, rows, texture } = this.bones[number];
      joints.forEach((joint, i) => {
        if (binds) multiply(matrix, 0, matrices, joint * 16, binds, i * 16);
        data.set(binds ? matrix : matrices.subarray(joint * 16, joint * 16 + 16), i * 16);
      });
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, gl.RGBA, gl.FLOAT, data);
    });
  }

  use({ geometry, node }, fragment, captured = []) {
    const { gl } = this;
    const isSkinned = geometry.isSkinned && node.skin !== undefined;
    const definitions = [geometry.targets && 'MORPHS', isSkinned && 'SKIN', isSkinned && geometry.isWide && 'WIDE'].filter(Boolean);
    const key = [...definitions, fragment, ...captured].join();
    if (!this.programs.has(key)) this.programs.set(key, program(gl, MESH_VERTEX, FRAGMENTS[fragment], definitions, captured));
    const { made, places } = this.programs.get(key);
    gl.useProgram(made);
    gl.bindVertexArray(geometry.array);
    ATTRIBUTES.forEach((_, place) => gl.vertexAttrib4fv(place, MISSING[place]));
    gl.uniformMatrix4fv(places.world, false, this.matrices.subarray(node.number * 16, node.number * 16 + 16));
    if (isSkinned) this.bind(places.bones, 0, this.bones[node.skin].texture);
    if (geometry.targets) this.bindMorphs(geometry, node, places);
    return places;
  }

  /** Passes the targets that have a weight. */
  bindMorphs(geometry, node, places) {
    const { gl } = this;
    const weights = this.pose.weights[node.number];
    const entries = [];
    weights.forEach((weight, target) => {
      if (weight !== 0 && target < geometry.part.targets.length) entries.push(target, weight);
    });
    this.bind(places.targets, 1, geometry.targets);
    this.bind(places.entries, 2, this.entries);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32F, Math.max(entries.length / 2, 1), 1, 0, gl.RG, gl.FLOAT, Float32Array.from(entries.length > 0 ? entries : [0, 0]));
    gl.uniform1i(places.entryCount, entries.length / 2);
    gl.uniform1i(places.vertexCount, geometry.part.count);
    gl.uniform1i(places.targetParts, geometry.targetParts);
  }

  bind(place, slot, texture) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + slot);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(place, slot);
  }

  /** Draws a frame. `view` has the camera's matrices; `look` what to show. */
  draw(view, look) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...look.background, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const seen = this.drawn.filter(({ node }) => this.shown[node.number]);
    if (look.mesh) {
      seen.filter(({ isBlended }) => !isBlended).forEach((part) => this.drawPart(part, view, look));
    }
    this.lines.draw(look.behind, view, canvas);
    if (look.mesh) {
      const far = seen.filter(({ isBlended }) => isBlended).map((part) => ({ part, depth: this.depth(part, view) }));
      far.sort((a, b) => b.depth - a.depth).forEach(({ part }) => this.drawPart(part, view, look));
    }
    if (look.wireframe) seen.forEach((part) => this.drawEdges(part, view, look));
    gl.disable(gl.CULL_FACE);
    gl.depthMask(true);
    this.lines.draw(look.within, view, canvas);
    gl.disable(gl.DEPTH_TEST);
    this.lines.draw(look.above, view, canvas);
  }

  depth({ geometry, node }, { camera }) {
    const [a, b] = [geometry.box.slice(0, 3), geometry.box.slice(3)];
    const middle = a.map((x, i) => (x + b[i]) / 2);
    const m = multiply(new Float64Array(16), 0, camera, 0, this.matrices, node.number * 16);
    return m[3] * middle[0] + m[7] * middle[1] + m[11] * middle[2] + m[15];
  }

  drawPart(part, { camera, eye, up, side }, { pointSize }) {
    const { gl } = this;
    const places = this.use(part, 'lit');
    const { geometry, base, glow } = part;
    gl.uniformMatrix4fv(places.camera, false, camera);
    gl.uniform1f(places.pointSize, pointSize);
    gl.uniform4fv(places.baseColor, part.baseColor);
    gl.uniform3fv(places.emissive, part.emissive);
    gl.uniform1f(places.metallic, part.metallic);
    gl.uniform1f(places.roughness, part.roughness);
    gl.uniform1i(places.baseSet, base.set);
    gl.uniform1i(places.emissiveSet, glow.set);
    gl.uniform1i(places.unlit, part.isUnlit);
    gl.uniform1i(places.flatShaded, part.isFlat);
    gl.uniform1f(places.cutoff, part.cutoff);
    gl.uniform1i(places.opaque, part.isOpaque);
    gl.uniform3fv(places.eye, eye);
    gl.uniform3fv(places.up, up);
    gl.uniform3fv(places.side, side);
    [[base, places.baseTexture, 3], [glow, places.emissiveTexture, 4]].forEach(([{ image, sampler }, place, slot]) => {
      this.bind(place, slot, image < 0 ? null : this.textures[image]);
      if (image < 0) return;
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, WRAPS.has(sampler.wrapS) ? sampler.wrapS : gl.REPEAT);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, WRAPS.has(sampler.wrapT) ? sampler.wrapT : gl.REPEAT);
    });
    if (part.isBlended) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    } else {
      gl.disable(gl.BLEND);
    }
    gl.depthMask(!part.isBlended);
    this.cull(part);
    // The wireframe lies on the surface.
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    this.elements(geometry);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  cull({ doubleSided, node }) {
    const { gl } = this;
    if (doubleSided) return gl.disable(gl.CULL_FACE);
    const m = this.matrices.subarray(node.number * 16, node.number * 16 + 16);
    const sign = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
    gl.enable(gl.CULL_FACE);
    return gl.frontFace(sign < 0 && node.skin === undefined ? gl.CW : gl.CCW);
  }

  elements({ indices, part }) {
    const { gl } = this;
    const kind = { triangles: gl.TRIANGLES, lines: gl.LINES, points: gl.POINTS }[part.kind];
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.drawElements(kind, part.indices.length, gl.UNSIGNED_INT, 0);
  }

  drawEdges(part, { camera }, { edgeColor }) {
    const { gl } = this;
    if (part.geometry.part.kind !== 'triangles') return;
    const places = this.use(part, 'plain');
    const { buffer: edges, count } = part.geometry.edges();
    gl.uniformMatrix4fv(places.camera, false, camera);
    gl.uniform4fv(places.plain, edgeColor);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, edges);
    gl.drawElements(gl.LINES, count, gl.UNSIGNED_INT, 0);
    gl.disable(gl.BLEND);
  }

  /** The positions and normals of the vertices of a part as they are drawn, six numbers each. */
  deformed(part) {
    const { gl } = this;
    const { count } = part.geometry.part;
    const out = new Float32Array(count * 6);
    this.use(part, 'plain', ['placeOut', 'normalOut']);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, this.feedback);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, this.captured);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, Math.max(out.byteLength, 4), gl.STREAM_COPY);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, this.captured);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, this.captured);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    return out;
  }

  /** The corners of all triangles, lines and points, in the order in which they are drawn. */
  corners() {
    if (this.drawn.length === 0) {
      return Float32Array.from(this.model.nodes.flatMap(({ number }) => [...this.matrices.subarray(number * 16 + 12, number * 16 + 15)]));
    }
    const parts = this.drawn.map((part) => {
      const vertices = this.deformed(part);
      const out = new Float32Array(part.geometry.part.indices.length * 3);
      part.geometry.part.indices.forEach((vertex, i) => out.set(vertices.subarray(vertex * 6, vertex * 6 + 3), i * 3));
      return out;
    });
    const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  }

  /** A box around what is drawn now. */
  bounds() {
    const box = emptyBox();
    for (const part of this.drawn) {
      if (!this.shown[part.node.number]) continue;
      const vertices = this.deformed(part);
      const used = part.geometry.part.indices.length < part.geometry.part.count ? new Set(part.geometry.part.indices) : null;
      for (let i = 0; i < vertices.length; i += 6) if (!used || used.has(i / 6)) grow(box, vertices.subarray(i, i + 3));
    }
    if (box[0] === Infinity) this.model.order.forEach((number) => grow(box, this.matrices.subarray(number * 16 + 12, number * 16 + 15)));
    return box;
  }

  /** The part that is drawn at a pixel, or null. */
  pick(x, y, { camera }) {
    const { gl, canvas } = this;
    this.target ??= this.pickTarget();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    // The pixel is the whole picture of a narrower camera.
    const [w, h] = [canvas.width, canvas.height];
    const [sx, sy] = [w, h];
    const shift = [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, 1, 0, sx * (1 - (2 * (x + 0.5)) / w), sy * (1 - (2 * (y + 0.5)) / h), 0, 1];
    const narrow = multiply(new Float64Array(16), 0, shift, 0, camera, 0);
    gl.viewport(0, 0, 1, 1);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.drawn.forEach((part, number) => {
      if (!this.shown[part.node.number]) return;
      const places = this.use(part, 'plain');
      const code = number + 1;
      gl.uniformMatrix4fv(places.camera, false, narrow);
      gl.uniform1f(places.pointSize, 1);
      gl.uniform4f(places.plain, (code & 255) / 255, ((code >> 8) & 255) / 255, ((code >> 16) & 255) / 255, 1);
      this.cull(part);
      this.elements(part.geometry);
    });
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return this.drawn[pixel[0] + pixel[1] * 256 + pixel[2] * 65536 - 1] ?? null;
  }

  pickTarget() {
    const { gl } = this;
    const made = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, made);
    for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      const store = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, store);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
    }
    return made;
  }
}
