// Saves the picture: as SVG, and as PNG, which is the SVG drawn.

/** Pixels for one of the picture's, as far as a canvas can be that large. */
const DENSITY = 2;
const CANVAS_SIDE_MAX = 16_000;

export function saveSvg(svg: string, name: string): void {
  save(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`);
}

/** @throws Error when the browser can't draw it */
export async function savePng(svg: string, name: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const density = Math.min(DENSITY, CANVAS_SIDE_MAX / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * density;
  canvas.height = image.naturalHeight * density;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('the browser made no PNG');
  save(blob, `${name}.png`);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
