//! A position as a picture to send to somebody: the SVG of the program, as a PNG where the browser can make one.

import { save } from "./transport.js";
import { word } from "./words.js";

/** Pixels for each of the picture: it is to be read on a phone, too. */
const SCALE = 2;

/** @param {string} svg @returns {Promise<Blob | null>} */
async function png(svg) {
  const image = new Image();
  const size = /\bwidth="([\d.]+)" height="([\d.]+)"/.exec(svg);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(Number(size?.[1] ?? image.width) * SCALE);
  canvas.height = Math.ceil(Number(size?.[2] ?? image.height) * SCALE);
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/**
 * Hands a picture to whatever the reader shares things with, or saves it; says what became of it.
 * @param {string} svg
 * @param {string} name
 * @param {string} title
 * @param {string} url
 */
export async function shareImage(svg, name, title, url) {
  const drawn = await png(svg).catch(() => null);
  if (!drawn) {
    save(new Blob([svg], { type: "image/svg+xml" }), name.replace(/png$/, "svg"));
    return word("imageFailed");
  }
  const files = [new File([drawn], name, { type: "image/png" })];
  // Where there is a finger there is a sheet for sharing; elsewhere a file is what people expect.
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files, title, url });
      return "";
    } catch {
      // Who thought better of it gets nothing.
      return "";
    }
  }
  save(drawn, name);
  return word("imageSaved");
}
