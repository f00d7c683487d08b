import type { UploadedFile } from './per-file.ts'
import type { UploadSettings } from './upload-settings.ts'

/** The options that a script passes to `upload`. */
export interface UploadOptions extends UploadSettings {
  container?: string | undefined
}

/** What `upload` returns: files and texts by the names of their fields. */
export interface UploadResult {
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fields: Readonly<Record<string, readonly string[]>>
}
