import type en from "./en.json";

// Makes a key that is not in en.json a compile error.
declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
