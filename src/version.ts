// The version, put here by the build from package.json. Tests that run the source have none.
declare const CADRE_VERSION: string;

export const VERSION: string = typeof CADRE_VERSION === 'undefined' ? '0.0.0' : CADRE_VERSION;
