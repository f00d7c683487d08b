export {
  ContainerExists,
  ContainerNotEmpty,
  ContentTypeRefused,
  FileChanged,
  FileConditionFailed,
  FileNameInvalid,
  FileNotFound,
  FileTooLarge,
  FormMalformed,
  FormTooLarge,
  NoFileUploaded,
  RangeNotSatisfiable,
  StorageFailed,
  StorageFull
} from './errors.ts'
export { type StorageSettings, StorageSettingsSchema } from './settings.ts'
export { storage, storage as default } from './storage.ts'
export { StorageConnector } from './storage-connector.ts'
export type { StorageMethods } from './storage-methods.ts'
export type { ByteRange, ContainerInfo, FileHeaders, FileInfo, FilePage } from './stores/store.ts'
export type { PerFile, UploadedFile, UploadOptions, UploadResult, UploadSettings } from './uploads/upload-settings.ts'
