// Draws lines that are some pixels wide: bones, normals, the ground and the axes.

import { LINE_FRAGMENT, LINE_VERTEX, program } from './shaders.js';

const NUMBERS = 11;

/** A list of lines. */
export class LineList {
  constructor() {
    this.numbers = [];
  }

  /** Adds a line; the colour is red, green, blue and alpha, and the width is in CSS pixels. */
  add(start, end, color, width) {
    this.numbers.push(...start, ...end, ...color, width);
    return this;
  }
}

export class LineBatch {
  constructor(gl) {
    this.gl = gl;
    const { made, places } = program(gl, LINE_VERTEX, LINE_FRAGMENT);
    Object.assign(this, { made, places, array: gl.createVertexArray(), buffer: gl.createBuffer() });
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let at = 0;
    for (const [name, size] of [['start', 3], ['end', 3], ['tint', 4], ['width', 1]]) {
      const place = gl.getAttribLocation(made, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, NUMBERS * 4, at * 4);
      gl.vertexAttribDivisor(place, 1);
      at += size;
    }
    gl.bindVertexArray(null);
  }

  draw({ numbers }, { camera, ratio }, canvas) {
    const { gl } = this;
    if (numbers.length === 0) return;
    gl.useProgram(this.made);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(numbers), gl.STREAM_DRAW);
    gl.uniformMatrix4fv(this.places.camera, false, camera);
    gl.uniform2f(this.places.viewport, canvas.width / ratio, canvas.height / ratio);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.CULL_FACE);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, numbers.length / NUMBERS);
    gl.disable(gl.BLEND);
  }
}
