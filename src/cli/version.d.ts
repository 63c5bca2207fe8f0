/** The version of the package, set when it is built. */
declare const PACKAGE_VERSION: string
