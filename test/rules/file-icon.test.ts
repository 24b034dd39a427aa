import { FileArchive, FileCode, FileIcon, FileMusic, FilePlay, FileSpreadsheet, FileText } from "lucide-react";
import { expect, it } from "vitest";
import { fileIcon } from "../../renderer/pages/draft/files/file-icon.ts";

it("shows tables, code, sound and film by icons of their own, also in capitals and in folders (ux 2; issue 17)", () => {
  expect(["a/stations.CSV", "run.py", "call.wav", "dive.mp4", "raw.tgz"].map(fileIcon)).toEqual([
    FileSpreadsheet,
    FileCode,
    FileMusic,
    FilePlay,
    FileArchive,
  ]);
  expect(["notes.md", "core.nc", "py", "csv/data"].map(fileIcon)).toEqual([FileText, FileIcon, FileIcon, FileIcon]);
});
