import { FileArchive, FileIcon, FileImage, FileText, type LucideIcon } from "lucide-react";

export function fileIcon(key: string): LucideIcon {
  if (/\.(zip|tar|gz|7z|bz2)$/i.test(key)) return FileArchive;
  if (/\.(png|jpe?g|gif|tiff?|svg|webp)$/i.test(key)) return FileImage;
  if (/\.(txt|md|csv|json|xml|pdf|html?)$/i.test(key)) return FileText;
  return FileIcon;
}
