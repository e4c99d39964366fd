/** The German of the stage, the sheet, the log and the roll. */
export const stage = {
  percent: "{n} %",
  percentUnder: "unter {n} %",
  percentOver: "über {n} %",
} as const;
