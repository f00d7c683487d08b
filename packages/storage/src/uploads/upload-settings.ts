import { type Static, Type } from '@sinclair/typebox'
import { setting, HeaderSettingsSchema } from '../stores/header-settings.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file of an upload, as named by its sender, and as shown in responses. */
export interface UploadedFile {
  readonly container: string
  /** The name under which it is stored. */
  name: string
  /** The media type sent by the client. */
  readonly type: string
  /** The name of the form's field. */
  readonly field: string
  /** The client's name if the file is stored under another one. */
  originalFilename?: string
  acl?: string
  size?: number
  /** The store's facts about the file, unless it is a folder. */
  providerResponse?: Readonly<Record<string, unknown>>
}

/** A setting, or a function that returns it for one file of one upload. */
export type PerFile<Value> = Value | ((file: UploadedFile, request: IncomingMessage, response: ServerResponse) => Value)

/** Returns the name under which a file is stored. */
export type GetFileName = (file: UploadedFile, request: IncomingMessage, response: ServerResponse) => string

/** Default maximum bytes of a file, as in LoopBack. */
export const defaultMaxFileSize: number = 10 * 1024 * 1024
/** Default maximum bytes of all fields of a form together. */
export const defaultMaxFieldsSize: number = 1024 * 1024
/** Default maximum number of files of a form. */
export const defaultMaxFiles = 100
/** Default maximum bytes of all files of a form together: the product of the two limits above. */
export const defaultMaxFilesSize: number = defaultMaxFiles * defaultMaxFileSize

const anyFunction = Type.Function([], Type.Unknown())

const bytes = [Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]*$' })] as const

/** Settings of uploads, which scripts may change at any time. */
export const UploadSettingsSchema = Type.Object({
  maxFileSize: setting<PerFile<number | string>>(
    Type.Union([...bytes, anyFunction], {
      default: defaultMaxFileSize,
      unit: 'bytes',
      description: 'maximum size of a file in an upload, or a function (file, req, res) that returns it'
    })
  ),
  allowedContentTypes: setting<PerFile<readonly string[]>>(
    Type.Union([Type.Array(Type.String()), anyFunction], {
      description: 'media types of uploaded files, or a function (file, req, res) that returns them; all by default'
    })
  ),
  getFilename: setting<GetFileName>({
    ...anyFunction,
    description: 'function (file, req, res) that returns the name under which an uploaded file is stored'
  }),
  nameConflict: setting<'makeUnique'>(
    Type.Literal('makeUnique', { description: 'generate names for uploaded files, with their extension' })
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
      description: 'all non-file fields of an upload'
    })
  ),
  maxFiles: setting<number>(
    Type.Integer({ minimum: 1, default: defaultMaxFiles, description: 'number of files in one upload' })
  ),
  maxFilesSize: setting<number>(
    Type.Integer({
      minimum: 1,
      default: defaultMaxFilesSize,
      unit: 'bytes',
      description: 'total size of the files in one upload; the default rises to `maxFileSize` if that is larger'
    })
  ),
  ...HeaderSettingsSchema.properties
})

/** How uploads are stored. Those of the data source apply unless a call overrides them. */
export type UploadSettings = Static<typeof UploadSettingsSchema>

const names = Object.keys(UploadSettingsSchema.properties)

/** False for values that count as an absent setting: generated files have empty strings and null. */
export const isSet = <Given>(value: Given): value is NonNullable<Given> =>
  value !== undefined && value !== null && value !== ''

/** The upload settings that are set in `settings`. */
export function uploadSettingsOf(settings: object): UploadSettings {
  const entries = names.map((name) => [name, Reflect.get(settings, name) as unknown] as const)
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}

/** The options that a script passes to `upload`. */
export interface UploadOptions extends UploadSettings {
  container?: string | undefined
}

/** The result of `upload`: files and strings by field name. */
export interface UploadResult {
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fields: Readonly<Record<string, readonly string[]>>
}
