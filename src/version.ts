// The version from package.json. The build puts it here; tests that import the source have none.
declare const CADRE_VERSION: string | undefined;

export const VERSION: string = typeof CADRE_VERSION === 'undefined' ? 'source' : CADRE_VERSION;
