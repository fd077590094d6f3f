// Writes SVG as text: elements, what must be escaped in them, and the frame around a picture.
import { shortened } from './names.ts';
import type { Theme } from './theme.ts';

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
/** Of a letter at FONT_SIZE, roughly, to tell what fits. */
export const LETTER_WIDTH = 7.2;
export const FONT_SIZE = 13;

type Attributes = Readonly<Record<string, string | number | undefined>>;

export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const told = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${escaped(typeof value === 'number' ? String(Number(value.toFixed(2))) : value!)}"`,
    );
  return `<${name}${told.join('')}>${content.join('')}</${name}>`;
}

export function text(x: number, y: number, content: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escaped(content));
}

export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  more: Attributes = {},
): string {
  return element('line', { x1, y1, x2, y2, stroke, ...more });
}

export function title(content: string): string {
  return element('title', {}, escaped(content));
}

export type Heading = { title: string; where: string; summary: string };

const HEADING_HEIGHT = 58;
/** Left, right and below of what is inside. */
export const MARGIN = 20;

/** A whole document that stands for itself: heading, ground and `body`, moved below the heading. */
export function svgDocument(
  width: number,
  height: number,
  heading: Heading,
  body: string,
  theme: Theme,
): string {
  const whole = height + HEADING_HEIGHT + MARGIN;
  const fits = Math.floor((width - 2 * MARGIN) / LETTER_WIDTH);
  return element(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width, height: whole, viewBox: `0 0 ${width} ${whole}` },
      ...{ 'font-family': FONT, 'font-size': FONT_SIZE, fill: theme.ink, role: 'img' },
    },
    title(heading.title),
    element('desc', {}, escaped(heading.summary)),
    element('rect', { width, height: whole, fill: theme.ground }),
    text(MARGIN, 28, heading.title.charAt(0).toUpperCase() + heading.title.slice(1), {
      'font-size': 17,
      'font-weight': 600,
    }),
    text(MARGIN, 47, shortened(heading.where, fits), { fill: theme.quiet }),
    element('g', { transform: `translate(${MARGIN} ${HEADING_HEIGHT})` }, body),
  );
}

export function escaped(content: string): string {
  return content.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
