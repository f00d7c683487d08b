import { InvalidOption } from '@modelwire/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Client } from 'minio'
import type { UploadSettings } from './upload-options.ts'

const anyFunction = Type.Function([], Type.Unknown())

/** A setting of uploads with the type that applications know; what functions give is checked when they are called. */
const uploads = {
  maxFileSize: Type.Optional(
    Type.Unsafe<NonNullable<UploadSettings['maxFileSize']>>(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]*$' }), anyFunction], {
        default: 10_485_760,
        unit: 'bytes',
        description: 'largest file of an upload, or a function (file, req, res) that gives it'
      })
    )
  ),
  allowedContentTypes: Type.Optional(
    Type.Unsafe<NonNullable<UploadSettings['allowedContentTypes']>>(
      Type.Union([Type.Array(Type.String()), anyFunction], {
        description: 'media types of uploaded files, or a function (file, req, res) that gives them; all when absent'
      })
    )
  ),
  getFilename: Type.Optional(
    Type.Unsafe<NonNullable<UploadSettings['getFilename']>>({
      ...anyFunction,
      description: 'function (file, req, res) that gives the name which an uploaded file is stored under'
    })
  ),
  nameConflict: Type.Optional(
    Type.Literal('makeUnique', { description: 'uploaded files get names of their own, with their extension' })
  ),
  acl: Type.Optional(
    Type.Unsafe<NonNullable<UploadSettings['acl']>>(
      Type.Union([Type.String(), anyFunction], {
        description: 'who may read an uploaded file in the store, or a function (file, req, res) that gives it'
      })
    )
  ),
  maxFieldsSize: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 1_048_576,
      unit: 'bytes',
      description: 'all fields of an upload that are no files'
    })
  ),
  maxFiles: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: 'files of one upload' }))
}

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Settings of the storage connector. Others are ignored, so that LoopBack's `datasources.json` can be used as it is. */
export const StorageSettingsSchema = Type.Object({
  provider: Type.Optional(
    Type.Union([Type.Literal('filesystem'), Type.Literal('amazon')], {
      default: 'filesystem',
      description: 'where the files are: in folders, or in a store that speaks S3'
    })
  ),
  root: text('`filesystem`: the folder that holds the containers, relative to the working directory'),
  keyId: text('`amazon`: id of the access key; also `accessKeyId`'),
  accessKeyId: text('`amazon`: the same as `keyId`'),
  key: text('`amazon`: secret of the access key; also `accessKey`'),
  accessKey: text('`amazon`: the same as `key`'),
  sessionToken: text('`amazon`: token of temporary credentials'),
  region: text('`amazon`: region of the buckets'),
  endpoint: text('`amazon`: address of another store, such as `http://localhost:9000`; https unless it says otherwise'),
  forcePathBucket: Type.Optional(
    Type.Boolean({ description: '`amazon`: the bucket is part of the path; the default where there is an `endpoint`' })
  ),
  client: Type.Optional(Type.Unsafe<Client>(Type.Object({}, { description: '`amazon`: a client of `minio` to use' }))),
  inlineTypes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'media types that browsers may show; other files are saved. Pictures but SVG, sounds, films, plain text and PDF when absent'
    })
  ),
  ...uploads
})
/** Settings of the storage connector. */
export type StorageSettings = Static<typeof StorageSettingsSchema>

/** Empty texts of generated files say nothing. */
const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/**
 * Takes the connector's own settings from those of a data source.
 * @throws {InvalidOption} a setting has the wrong type, or there is no such provider
 */
export function readSettings(settings: Readonly<Record<string, unknown>>): StorageSettings {
  const said = Object.fromEntries(Object.entries(settings).filter(([, value]) => isSaid(value)))
  const { provider } = said
  if (provider !== undefined && provider !== 'filesystem' && provider !== 'amazon')
    throw new InvalidOption(`there is no storage provider "${String(provider)}": there are filesystem and amazon`, {
      key: 'provider'
    })
  if (Value.Check(StorageSettingsSchema, said)) return said
  const key = Value.Errors(StorageSettingsSchema, said).First()?.path.slice(1) ?? ''
  throw new InvalidOption(`the setting "${key}" of the storage has the wrong type`, { key })
}
