/** Major versions of the wire protocol. */
export type ProtocolVersion = 2 | 3

/** Everything that differs between the major versions, one entry per difference. */
export interface VersionRules {
  readonly version: ProtocolVersion
  /** What PUT does where the model's `replaceOnPUT` is silent: replace the record, or update it in part. */
  readonly replaceOnPUT: boolean
  /** What an absent `forceId` means: `auto` refuses a client's id where ids are generated. */
  readonly forceId: 'auto' | false
  /** PUT and PATCH on the collection take arrays. */
  readonly upsertsLists: boolean
  /** CORS answers every origin unless `remoting.cors` says otherwise. */
  readonly corsByDefault: boolean
  /** Error bodies show `status` beside `statusCode`, and 5xx show name and message. */
  readonly errorStatus: boolean
  /** Property names may hold dots. */
  readonly dottedNames: boolean
  /** A mixin that does not exist is left out instead of stopping the start. */
  readonly ignoresUnknownMixins: boolean
  /** A model may be named File. */
  readonly modelNamedFile: boolean
  /** `create()` called with a callback returns the instance. */
  readonly createReturnsInstance: boolean
  /** Models emit `changed`, `deleted` and `deletedAll`. */
  readonly modelEvents: boolean
  /** `remoteMethod` reads `isStatic`. */
  readonly readsIsStatic: boolean
  /** `loopback.getCurrentContext` exists; version 3 fails the first request when `remoting.context` asks for it. */
  readonly currentContext: boolean
  /** A value that is no number is refused for a number property; version 2 stores null. */
  readonly refusesNaN: boolean
  /** A text that is no number, boolean or date is still handed to a method as declared. */
  readonly looseArguments: boolean
  /** null and the empty text are no value of a required argument. */
  readonly blankIsAbsent: boolean
}

const version3: VersionRules = {
  version: 3,
  replaceOnPUT: true,
  forceId: 'auto',
  upsertsLists: false,
  corsByDefault: false,
  errorStatus: false,
  dottedNames: false,
  ignoresUnknownMixins: false,
  modelNamedFile: false,
  createReturnsInstance: false,
  modelEvents: false,
  readsIsStatic: false,
  currentContext: false,
  refusesNaN: true,
  looseArguments: false,
  blankIsAbsent: true
}

const version2: VersionRules = {
  version: 2,
  replaceOnPUT: false,
  forceId: false,
  upsertsLists: true,
  corsByDefault: true,
  errorStatus: true,
  dottedNames: true,
  ignoresUnknownMixins: true,
  modelNamedFile: true,
  createReturnsInstance: true,
  modelEvents: true,
  readsIsStatic: true,
  currentContext: true,
  refusesNaN: false,
  looseArguments: true,
  blankIsAbsent: false
}

/** The rules of a major version. */
export const versionRules: Readonly<Record<ProtocolVersion, VersionRules>> = { 2: version2, 3: version3 }
