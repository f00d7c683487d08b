/** Major versions of the wire protocol. */
export type ProtocolVersion = 2 | 3

/** What LoopBack answers in both versions, and Modelwire in `compat` mode alone. */
const inCompat = {
  hidesOwnCodes: 'Errors that LoopBack sends without a `code` have none.',

  countsFirstOperator:
    'Of several operators on one property `startsWith` and the first other one count, in the order `eq`, ranges, `between`, `inq`, `nin`, `near`, `neq`, `like`, …; `gt`, `gte`, `lt` and `lte` hold together.',
  ignoresDatesInLists: 'Dates in `inq` and `nin` equal nothing in memory; on databases they are compared by time.',
  ignoresLikeOptions: '`options` of `like` and `nlike` are read on MongoDB alone.',
  findsEmptyLike: 'The empty text in `like` and its forms is in every text on MongoDB; otherwise it finds nothing.',
  readsAbsentAsText: '`like`, `nlike` and their `i` forms read an absent value as the text `undefined`.',
  comparesPathsLoosely: 'Values below a declared path (`address.open`) are not converted to the type declared there.',
  negatesEachItem: 'On MongoDB `neq`, `nin` and the like hold for a list where they hold for each of its items.',
  comparesByCollation:
    'Texts in the scopes of models and relations, and the names that accounts log in with, are compared as the database compares those of the column; otherwise by their characters.',
  ignoresHiddenConditions:
    'A condition on a hidden property counts for nothing; otherwise 400 `HIDDEN_PROPERTY_IN_FILTER`.',
  limitsSkippingPages: '`skip` or `offset` without `limit` reads 100 records at most.',
  comparesObjects:
    'Ranges compare texts and numbers with an object or a list as JavaScript does, dates with none (400), and other values with nothing; otherwise 400.',
  ignoresFalseCounts: '`limit` and `skip` of false, or of NaN in scripts, count as absent.',

  ignoresPrototypeNames:
    '`__proto__`, `constructor` and the like in a query, and `__proto__` in a form, are ignored, or names that no record has; otherwise 400 `PROPERTY_NAME_REFUSED`.',
  leavesBodiesToMethods:
    'A method that is handed the request reads every body whose type is not read here, not forms alone.',
  takesAnythingForPrivateModels: 'An argument of a model that is not public takes every value.',
  nullsAbsentToken: '`options.accessToken` of a call without a token is null, not undefined.',
  showsPageToHooks: 'Hooks after `find` see the page that was read as numbers in its filter.',
  showsUndeclaredOfHooks: 'What observers set in an instance of a strict model is shown, declared or not.',

  sharesMassChanges:
    '`updateAll`, and `DELETE` of all records of a relation or scope, are public without being shared by name.',
  mergesSharing: '`sharedMethods` of the application and of the model are read as one setting.',
  ignoresSharedAliases: '`sharedMethods` knows the own names of methods and patterns, no aliases.',
  inheritsDefinedMethods: 'Remote methods that code declares of a model are not those of models that extend it.',
  mountsOwnMethodsLast:
    'Of methods at one verb and path that of a relation or scope answers, then the predefined one; otherwise that of the application.',
  typesEmptyAnswers: 'An answer without content has a `Content-Type`.',
  allowsSharedPaths: 'Of two public models with one path the first answers; otherwise `MODEL_PATH_TAKEN` at start.',
  allowsOpenAccess:
    'Access rules that nothing enforces, and models of access that everybody may write, are a warning, no error at start.',
  allowsUnknownNames:
    'Observers of a name close to that of a hook, such as `befor save`, never run, and indexes over unknown properties are not made; otherwise an error at start.',
  allowsUnknownMethods: 'Names of no method in `sharedMethods` are left to the report of the application.',
  wantsLooseRouter:
    'A server whose router tells cases or slashes apart, or refuses long ids, is warned about at start.',
  documentsRawTokens:
    'The OpenAPI document names the `Authorization` header and `access_token` in the query; otherwise a bearer token.',
  documentsDenied:
    'The OpenAPI document shows operations that the rules deny to everybody: rules are often stored, and may allow them.',

  ignoresHiddenParts: '`hidden` inside of a value counts for nothing; otherwise an error at start.',
  aliasesId: 'Records whose id has another name have `id` as well, which reads it.',
  insistsOnId: '`idInjection: false` takes no id away, except where tables have declared columns alone.',
  retypesIds:
    'Ids that the database makes have its type, unless the property names the type of its column or has `useDefaultIdType: false`.',
  replacesFalsyIds: 'The ids 0 and the empty text count as absent in memory: the next id is made.',
  countsTextIds: 'Text ids that are not declared as generated are counted in memory, and asked of no client.',
  readsStoredJson: 'A text that is stored for an object is read as JSON.',
  coercesLoosely: 'Numbers, booleans, dates and untyped values are made of more values: true is 1, an object is true.',
  keepsRulesFromExtending: 'Models that extend another do not have the rules that its script adds.',

  ordersProblemsByProperty: 'Problems of validation come property by property, not rule by rule.',
  toleratesUndeclared:
    'Where no rule is asked, a strict model drops undeclared properties (`patchOrCreate`) or stores them and never shows them (`updateAll`); otherwise 422 `unknown-property`.',
  updatesWithoutRules:
    'Rules of validation are not asked in `updateAll` and `patchOrCreate` of a client; in `upsertWithWhere` in memory they are asked about its data, as of a new record; otherwise about the record that is left behind.',
  validatesBeforeDefaults:
    'A record that `upsertWithWhere` would create is validated without the defaults of its properties.',
  validatesBeforeFinding: '`findOrCreate` in memory validates the new record also where one is found.',
  patchesWhatMatches:
    '`upsertWithWhere` on databases patches the record that matches, or creates one, each with its own hooks and rules.',

  takesRelatedForKeys: 'Data of a whole record may hold a related record in place of its key.',
  nullsUnusableKeys: 'A key that is no number is stored as null; otherwise 422.',
  retypesKeys: 'A declared key takes the type of what it refers to.',
  lastModelTypesKey: 'Of several models that a polymorphic key refers to the last one decides its type.',
  ignoresUnrelatedKeyThrough: '`keyThrough` counts only where it is the key of a relation of the model between.',
  relatesThroughBack: '`hasAndBelongsToMany` with a `through` model gives that model relations to both sides.',
  propertyHidesRelation:
    'Of a property and a relation of one name records show the property; otherwise an error at start.',
  listsEachLink:
    'A relation through a third model lists, includes and counts a record once for each link, and without a filter in the order of the links; otherwise once, by id.',
  refusesKeylessParents:
    'The record of a hasOne is asked of no parent without its key: 400 `PARENT_KEY_MISSING`; otherwise there is none.',

  makesNoEmbeddedIds:
    'Embedded records get ids only where their data source makes texts, or `embedsMany` counts numbers.',
  takesNullForId: 'null is an id of an embedded record, and two records without an id have the same one.',
  locksGeneratedEmbeddedIds: 'An embedded record of `embedsOne` whose id was generated cannot be changed.',
  filtersEmbeddedByWhere: 'Of a filter of embedded records `where` and `include` alone count.',
  includesWholeEmbedded: 'An included record of `embedsOne` is there whatever the scope says.',
  answersNullBetween: 'A nested route through a relation to one record that leads to none answers null; otherwise 404.',
  validatesRepeatedLinks: 'What a repeated link sends is refused where it is not valid; otherwise it is ignored.',

  needsShownKeys:
    'Keys that `fields` leaves out lead nowhere: related records are not included, or the request is refused; otherwise they are read and not shown.',
  includesFirstName: 'Of `{"books": "reviews", "agent": true}` in an include the first name counts.',
  includesLastOfOne: 'Of several records of a hasOne the last is included; otherwise the first, as `GET` has it.',
  pagesEachRecord:
    '`limit`, `skip` and `order` of an include through a third model, or of references, take each record as a page of its own.',
  pagesBeforeOrdering: 'A page of references is cut before its records are put in the order of the keys.',
  addsKeysToScopes:
    'The key joins whatever `fields` of a scope say, so that `{"notes": false}` leaves the key alone, and replaces a condition on it.',
  showsIncludedKeys: '`fields` of an include show the keys of the belongsTo relations that are included below, too.',

  cutsPasswords: 'Of a password the first 72 bytes are compared; otherwise longer ones never match.',
  letsClientsCache: 'Answers to requests with a token are `Cache-Control: private`; otherwise `no-store`, with `Vary`.',
  patchesPasswords:
    '`rejectPasswordChangesViaPatchOrReplace` is false where the model is silent; otherwise it holds for clients.',
  opensResetTokens: '`restrictResetPasswordTokenScope` is false where the model is silent.',
  letsClientsChooseRealm: '`clientsChooseRealm` is true where the model is silent.',
  revealsUnverified:
    'A reset for an address that is not verified is a 401 `RESET_FAILED_EMAIL_NOT_VERIFIED`; otherwise 204.'
}

/** What version 2 answers and version 3 does not, in `compat` mode and without. */
const inVersion2 = {
  patchesOnPUT: '`PUT` of a record or of the collection updates in part, unless `replaceOnPUT` is true.',
  takesClientIds:
    "A client's id where ids are generated is stored, unless `forceId` says otherwise; an unknown id creates.",
  upsertsLists: '`PATCH` and `PUT` of the collection take lists, which are created.',
  corsByDefault: 'CORS answers every origin, unless `remoting.cors` says otherwise.',
  showsErrorStatus:
    'Errors are always JSON, with `status` beside `statusCode`; 5xx show name and message, and the stack unless `errors.disableStackTrace`, or in production.',
  allowsDottedNames: 'Names of properties may hold dots.',
  ignoresUnknownMixins: 'A mixin that does not exist is left out.',
  allowsModelNamedFile: 'A model may be named File.',
  createReturnsInstance: '`create()` that is called with a callback returns the instance.',
  emitsModelEvents: 'Models emit `changed`, `deleted` and `deletedAll`.',
  readsIsStatic: '`remoteMethod` reads `isStatic`.',
  hasCurrentContext: '`loopback.getCurrentContext` exists.',
  storesNaNAsNull: 'A number that is none is stored as null.',
  readsArgumentsLoosely:
    'Arguments: texts that are no booleans are true, the empty text is 0 or false, and JSON scalars are converted.',
  takesBlankArguments: 'null and the empty text are values of a required argument.'
}

/** A behaviour of LoopBack, named for what happens where it holds. */
export type RuleName = keyof typeof inCompat | keyof typeof inVersion2

/** Which behaviours hold, by name. All are false for applications of Modelwire's own. */
export type Rules = Readonly<Record<RuleName, boolean>>

/** Every rule with what LoopBack answers, by what makes it hold: `docs/wire-protocol.md` shows them. */
export const ruleTable: Readonly<Record<'compat' | 'version2', Readonly<Record<string, string>>>> = {
  compat: inCompat,
  version2: inVersion2
}

const allAre = (rows: object, holds: boolean): (readonly [string, boolean])[] =>
  Object.keys(rows).map((name) => [name, holds])

const rulesFor = (version: ProtocolVersion, compat: boolean): Rules => {
  const entries = [...allAre(inCompat, compat), ...allAre(inVersion2, version === 2)]
  return Object.freeze(Object.fromEntries(entries) as Rules) // the names are those of both tables
}

const everyRules = {
  2: { own: rulesFor(2, false), compat: rulesFor(2, true) },
  3: { own: rulesFor(3, false), compat: rulesFor(3, true) }
}

/** The rules of a registry. Read them when routes are mounted or models are compiled, rather than for each request. */
export function rulesOf(version: ProtocolVersion = 3, compat = false): Rules {
  return everyRules[version][compat ? 'compat' : 'own']
}
