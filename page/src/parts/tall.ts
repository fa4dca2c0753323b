// The height of a picture that has the page for itself.
export const tall = (): number => Math.max(320, Math.min(680, window.innerHeight - 240));
