import { expect, test } from "vitest";
import { currentToasts, showFailure, showToast } from "../../renderer/components/toast-queue.ts";

test("a failure that repeats is shown once, after what came between; an Undo stays (reviewer day: dead server)", () => {
  const undo = { label: "Undo", onAction: () => undefined };
  showToast({ tone: "ok", text: "Removed", action: undo });
  showFailure(new Error("The server cannot be reached."));
  showFailure(new Error("Permission denied."));
  showFailure(new Error("The server cannot be reached."));
  showToast({ tone: "ok", text: "Removed", action: undo });
  expect(currentToasts().map(({ text }) => text)).toEqual([
    "Removed",
    "Permission denied.",
    "The server cannot be reached.",
    "Removed",
  ]);
});
