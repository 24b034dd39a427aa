import type en from "./en.json";

// A key that is not in en.json is a compile error.
declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
