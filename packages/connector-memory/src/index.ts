export { DataFileBroken, DataFileLocked, DataFileUnusable } from './errors.ts'
export { memory, memory as default } from './memory.ts'
export { type MemorySettings, MemorySettingsSchema } from './settings.ts'
export { transient } from './transient.ts'
