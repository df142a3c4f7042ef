import type { ProgramWords } from "../translate";

export const messages: ProgramWords = {};
