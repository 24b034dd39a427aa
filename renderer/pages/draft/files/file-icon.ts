import {
  FileArchive,
  FileCode,
  FileIcon,
  FileImage,
  FileMusic,
  FilePlay,
  FileSpreadsheet,
  FileText,
  type LucideIcon,
} from "lucide-react";

const kinds: [names: RegExp, icon: LucideIcon][] = [
  [/\.(zip|tar|t?gz|7z|bz2|xz)$/i, FileArchive],
  [/\.(png|jpe?g|gif|tiff?|svg|webp)$/i, FileImage],
  [/\.(csv|tsv|xlsx?|ods)$/i, FileSpreadsheet],
  [/\.(mp3|wav|flac|og[ga]|m4a)$/i, FileMusic],
  [/\.(mp4|webm|mov|avi|mkv|ogv)$/i, FilePlay],
  [/\.(py|r|jl|m|js|ts|c|h|cpp|java|rs|go|sh|sql|ipynb)$/i, FileCode],
  [/\.(txt|md|json|xml|pdf|html?|docx?|odt|tex)$/i, FileText],
];

export const fileIcon = (key: string): LucideIcon => kinds.find(([names]) => names.test(key))?.[1] ?? FileIcon;
