import { afterAll } from "vitest";
import { closeLeft } from "./left-open.ts";

// The first hook of each test file, so the last one that runs.
afterAll(closeLeft);
