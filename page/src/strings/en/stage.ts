/** The English of the stage, the sheet, the log and the roll. */
export const stage = {
  percent: "{n} %",
  percentUnder: "under {n} %",
  percentOver: "over {n} %",
} as const;
