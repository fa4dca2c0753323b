// The colours of categories and of periods: those of the library, with which a test of the server compares them.

// In the order of the library; the same in light and dark, as areas of them are large.
export const CATEGORIES = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442", "#332288", "#999933", "#882255", "#99ddcc", "#663300", "#ffbbbb", "#115533", "#bea06e", "#3c3c3c"];

// The colour of a period in all pictures, as in the library: those of the categories in turn, that of the last but one for all longer ones.
export const colourOfPeriod = (period: number): string => CATEGORIES[Math.min(Math.max(1, period) - 1, CATEGORIES.length - 2)]!;
