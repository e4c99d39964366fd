/** The German of the odds lab. */
export const lab = {
  "lab.title": "Chancen",
} as const;
