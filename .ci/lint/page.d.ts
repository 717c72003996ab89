// What the player takes for granted of the page: most elements that it looks up are Gradio's controls.

interface ParentNode {
  querySelector(selectors: string): HTMLInputElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLInputElement>;
}
interface Element {
  closest(selectors: string): HTMLElement | null;
}
interface NonElementParentNode {
  getElementById(id: string): HTMLInputElement | null;
}
interface Document {
  getElementById(id: string): HTMLInputElement | null;
}
interface Window {
  Plotly: {
    downloadImage(picture: Element, options: object): Promise<unknown>;
    newPlot(...figure: unknown[]): Promise<unknown>;
    react(...figure: unknown[]): Promise<unknown>;
  };
}
interface EventTarget extends Pick<HTMLElement, 'blur' | 'closest' | 'matches'> {}
interface Event
  extends Pick<KeyboardEvent, 'isComposing' | 'key' | 'shiftKey'>,
    Pick<CustomEvent, 'detail'> {}

declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: string): string;
}
declare module '*/plotly.js' {}
