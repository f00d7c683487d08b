import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { GetFileName, PerFile } from './per-file.ts'

/** Bytes of a file; LoopBack's default. */
export const defaultMaxFileSize: number = 10 * 1024 * 1024
/** Bytes of all fields of a form together. */
export const defaultMaxFieldsSize: number = 1024 * 1024
/** Files of a form. */
export const defaultMaxFiles = 100
/** Bytes of all files of a form together: what the two limits above allow. */
export const defaultMaxFilesSize: number = defaultMaxFiles * defaultMaxFileSize

const anyFunction = Type.Function([], Type.Unknown())

/** A setting with the type that applications see; what functions return is checked when they are called. */
const setting = <Value>(schema: TSchema) => Type.Optional(Type.Unsafe<Value | undefined>(schema))

const bytes = [Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]*$' })] as const

/** A setting that becomes the header `header` of an object in a store. */
const headerSetting = (header: string, description: string) =>
  setting<string>(Type.String({ minLength: 1, header, description: `\`amazon\`: ${description}` }))

/** Settings that become headers of objects in a store. */
const HeaderSettingsSchema = Type.Object({
  StorageClass: headerSetting('x-amz-storage-class', 'storage class of uploaded files'),
  CacheControl: headerSetting('cache-control', '`Cache-Control` of uploaded files'),
  ServerSideEncryption: headerSetting('x-amz-server-side-encryption', 'encryption of uploaded files in the store'),
  SSEKMSKeyId: headerSetting('x-amz-server-side-encryption-aws-kms-key-id', 'id of the key of that encryption')
})
/** What an object is stored with besides its bytes. */
export type HeaderSettings = Static<typeof HeaderSettingsSchema>

/** Settings of uploads, which scripts may change at any time. */
export const UploadSettingsSchema = Type.Object({
  maxFileSize: setting<PerFile<number | string>>(
    Type.Union([...bytes, anyFunction], {
      default: defaultMaxFileSize,
      unit: 'bytes',
      description: 'largest file of an upload, or a function (file, req, res) that returns it'
    })
  ),
  allowedContentTypes: setting<PerFile<readonly string[]>>(
    Type.Union([Type.Array(Type.String()), anyFunction], {
      description: 'media types of uploaded files, or a function (file, req, res) that returns them; all when absent'
    })
  ),
  getFilename: setting<GetFileName>({
    ...anyFunction,
    description: 'function (file, req, res) that returns the name which an uploaded file is stored under'
  }),
  nameConflict: setting<'makeUnique'>(
    Type.Literal('makeUnique', { description: 'uploaded files get names of their own, with their extension' })
  ),
  acl: setting<PerFile<string>>(
    Type.Union([Type.String(), anyFunction], {
      description: 'who may read an uploaded file in the store, or a function (file, req, res) that returns it'
    })
  ),
  maxFieldsSize: setting<number>(
    Type.Integer({
      minimum: 0,
      default: defaultMaxFieldsSize,
      unit: 'bytes',
      description: 'all fields of an upload that are not files'
    })
  ),
  maxFiles: setting<number>(
    Type.Integer({ minimum: 1, default: defaultMaxFiles, description: 'number of files of one upload' })
  ),
  maxFilesSize: setting<number>(
    Type.Integer({
      minimum: 1,
      default: defaultMaxFilesSize,
      unit: 'bytes',
      description: 'all files of one upload together; the default rises to `maxFileSize` where that is larger'
    })
  ),
  ...HeaderSettingsSchema.properties
})

/** How uploads are stored. Those of the data source hold unless a call overrides them. */
export type UploadSettings = Static<typeof UploadSettingsSchema>

const names = Object.keys(UploadSettingsSchema.properties)

const isText = (value: unknown): value is string => typeof value === 'string'

const headers: ReadonlyMap<string, unknown> = new Map(
  Object.entries<TSchema>(HeaderSettingsSchema.properties).map(([name, { header }]) => [name, header])
)

/** False for what counts as a setting that is absent: generated files have empty texts and null. */
export const isSet = <Given>(value: Given): value is NonNullable<Given> =>
  value !== undefined && value !== null && value !== ''

/** The settings of uploads among those of `settings` that are set. */
export function uploadSettingsOf(settings: object): UploadSettings {
  const entries = names.map((name) => [name, Reflect.get(settings, name) as unknown] as const)
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}

/** The headers that an object gets from settings such as `StorageClass`. */
export function storeHeaders(settings: HeaderSettings): Record<string, string> {
  const own = Object.entries(settings).map(([name, value]) => [headers.get(name), value] as const)
  return Object.fromEntries(own.filter((pair): pair is readonly [string, string] => pair.every(isText)))
}
