/**
 * Major versions of the wire protocol.
 */
export type ProtocolVersion = 2 | 3

/** What LoopBack answers in both versions, and Modelwire in `compat` mode alone. */
const inCompat = {
  hidesOwnCodes: 'Errors that LoopBack sends without a `code` have none.',

  countsFirstOperator:
    'If a property has several operators, only `startsWith` and the first other one apply, in the order `eq`, ranges, `between`, `inq`, `nin`, `near`, `neq`, `like`, …; `gt`, `gte`, `lt` and `lte` apply together.',
  ignoresDatesInLists: 'Dates in `inq` and `nin` match nothing in memory; on databases they are compared by time.',
  ignoresLikeOptions: '`options` of `like` and `nlike` are only read on MongoDB.',
  findsEmptyLike:
    'An empty string in `like` and its forms matches every string on MongoDB; otherwise it finds nothing.',
  readsAbsentAsText: '`like`, `nlike` and their `i` forms read an absent value as the string `undefined`.',
  comparesPathsLoosely: 'Values below a declared path (`address.open`) are not converted to the type declared there.',
  negatesEachItem: 'On MongoDB `neq`, `nin` and the like match a list if every item matches.',
  comparesByCollation:
    "Strings in the scopes of models and relations, and login names of accounts, are compared by the database's collation; otherwise by code point.",
  ignoresHiddenConditions: 'A condition on a hidden property is ignored; otherwise 400 `HIDDEN_PROPERTY_IN_FILTER`.',
  ordersByHiddenId: 'An order may use a hidden id; otherwise 400 `HIDDEN_PROPERTY_IN_FILTER`.',
  limitsSkippingPages: '`skip` or `offset` without `limit` reads at most 100 records.',
  comparesObjects:
    'Ranges compare strings and numbers with an object or a list as JavaScript does; dates are refused (400), and other values match nothing; otherwise 400.',
  normalizesUndefined:
    "What is undefined in a condition of code is removed, or as `normalizeUndefinedInQuery` of the call's options, the model or its data source says; otherwise it is 400, like NaN and invalid dates.",
  ignoresFalseCounts: '`limit` and `skip` of false, or of NaN in scripts, count as absent.',

  ignoresPrototypeNames:
    '`__proto__`, `constructor` and the like in a query, and `__proto__` in a form, are ignored, or treated as unknown properties; otherwise 400 `PROPERTY_NAME_REFUSED`.',
  leavesBodiesToMethods:
    'A method that receives the request reads every body whose type is not parsed here, not only forms.',
  takesAnythingForPrivateModels: 'An argument whose type is a non-public model accepts any value.',
  nullsAbsentToken: '`options.accessToken` of a call without a token is null, not undefined.',
  namesAuthorizedRoles:
    "`options.authorizedRoles` of a call contains the caller's roles that a rule of the method allows.",
  showsPageToHooks: 'Hooks after `find` see the pagination parameters as numbers in the filter.',
  showsUndeclaredOfHooks: 'Properties that observers set on an instance of a strict model are shown, declared or not.',

  sharesMassChanges:
    '`updateAll`, and `DELETE` of all records of a relation or scope, are public without being listed by name.',
  mergesSharing: '`sharedMethods` of the application and of the model are merged.',
  ignoresSharedAliases: "`sharedMethods` accepts methods' own names and patterns, but no aliases.",
  inheritsDefinedMethods: 'Remote methods that code declares on a model are not inherited by models that extend it.',
  mountsOwnMethodsLast:
    'If several methods have the same verb and path, that of a relation or scope wins, then the predefined one; otherwise that of the application.',
  typesEmptyAnswers: 'A response without a body has a `Content-Type`.',
  allowsSharedPaths:
    'If two public models have the same path, the first one wins; otherwise `MODEL_PATH_TAKEN` at startup.',
  allowsOpenAccess:
    'Access rules that nothing enforces, and access control models that everybody may write, cause a warning, not an error at startup.',
  allowsUnknownNames:
    'Observers with a misspelled hook name, such as `befor save`, never run, and indexes on unknown properties are not created; otherwise an error at startup.',
  allowsUnknownMethods: "Unknown methods in `sharedMethods` are only reported for the application's setting.",
  wantsLooseRouter:
    'A router that is case-sensitive, distinguishes trailing slashes or refuses long ids causes a warning at startup.',
  documentsRawTokens:
    'The OpenAPI document names the `Authorization` header and `access_token` in the query; otherwise a bearer token.',
  documentsDenied:
    'The OpenAPI document shows operations that the rules deny to everybody, and properties that they let nobody set: rules are often stored, and may allow them.',

  ignoresHiddenParts: '`hidden` inside a value is ignored; otherwise an error at startup.',
  aliasesId: 'Records whose id has another name also have `id`, as a getter of it.',
  insistsOnId:
    '`idInjection: false` does not remove the id, unless a table has an `id` column that is not declared as one.',
  retypesIds:
    'Ids generated by the database have its type, unless the property sets the type of its column or `useDefaultIdType: false`.',
  replacesFalsyIds: 'The ids 0 and the empty string count as absent in memory: the next id is generated.',
  countsTextIds:
    'String ids that are not declared as generated are counted up in memory, and not required from clients.',
  showsSent:
    'Answers to writes show values as they were sent, where the database stored them in another form (rounded, padded).',
  setsGenerated:
    'Clients may set `generated` properties other than the id; otherwise these are read-only, and left out of what is stored.',
  cutsOffSpaces:
    'Spaces at the end of a string that is longer than its column are cut off; otherwise the string is refused.',
  takesNullForDefaults:
    'Properties that are not required accept null, also with a default; otherwise null is refused (422) where there is a default, and the column is `NOT NULL`.',
  replacesNullItems:
    'A null in a typed list becomes 0, false or the string `null`; otherwise 422, unless the schema of the items allows null.',
  losesInfinity:
    'A number that is not finite, such as `1e400`, becomes null inside an object or an untyped value; otherwise 422, or 400 for undeclared properties.',
  readsStoredJson: 'A string that is stored for an object is read as JSON.',
  readsDatesInZone:
    'A date string without a zone, such as `2024-06-01T12:00:00`, is in the time zone of the process; otherwise in UTC.',
  coercesLoosely:
    'More values are converted to numbers, booleans, dates and untyped values: true is 1, an object is true.',
  keepsRulesFromExtending: 'Models that extend another do not inherit the validation rules that its script adds.',

  ordersProblemsByProperty: 'Validation errors are listed property by property, not rule by rule.',
  toleratesUndeclared:
    'Where no validation runs, a strict model drops undeclared properties (`patchOrCreate`) or stores them and never shows them (`updateAll`); otherwise 422 `unknown-property`.',
  updatesWithoutRules:
    'Validation does not run in `updateAll` and `patchOrCreate` of a client; in `upsertWithWhere` in memory it checks its data, as for a new record; otherwise it checks the resulting record.',
  validatesBeforeDefaults:
    'A record that `upsertWithWhere` would create is validated without the defaults of its properties.',
  validatesBeforeFinding: '`findOrCreate` in memory validates the new record even if an existing one is found.',
  leavesOutUnsent:
    'Responses to creates and replacements omit properties without a value or default; otherwise they show what SQL databases store for them: null, or the default of the column.',
  patchesWhatMatches:
    '`upsertWithWhere` on databases patches the record that matches, or creates one, each with its own hooks and rules.',

  changesAllOfId:
    'A write by id to a table whose primary key has more columns than the id changes all records that have it; otherwise 409 `KEY_INCOMPLETE`.',
  takesRelatedForKeys: 'Data of a whole record may contain a related record instead of its key.',
  nullsUnusableKeys: 'A non-numeric key is stored as null; otherwise 422.',
  retypesKeys: 'A declared key takes the type of what it refers to.',
  lastModelTypesKey: 'If a polymorphic key refers to several models, the last one determines its type.',
  ignoresUnrelatedKeyThrough: '`keyThrough` only applies if it is the key of a relation of the through model.',
  relatesThroughBack: '`hasAndBelongsToMany` with a `through` model adds relations to both sides to that model.',
  convertsAsBase:
    'An undeclared value is converted to the type that a base model declares for its name, such as the key of a relation that the model redefines; it is neither validated nor given a default.',
  propertyHidesRelation:
    'If a property and a relation have the same name, records show the property; otherwise an error at startup.',
  sharesLinks:
    'Several `hasAndBelongsToMany` from one model to another have their links in one model, unless they declare `through`; otherwise an error at startup.',
  listsEachLink:
    'A relation through a third model lists, includes and counts a record once per link, and without a filter in the order of the links; otherwise once, by id.',
  refusesKeylessParents:
    'Reading the record of a hasOne fails for a parent without the key: 400 `PARENT_KEY_MISSING`; otherwise there is no record.',

  makesNoEmbeddedIds:
    'Embedded records only get ids if their data source generates strings, or `embedsMany` counts numbers.',
  takesNullForId: 'null is a valid id of an embedded record, and two records without an id have the same one.',
  locksGeneratedEmbeddedIds: 'An embedded record of `embedsOne` whose id was generated cannot be changed.',
  findsNoEmbeddedAsNull:
    '`findById` of `embedsMany` returns null if no record has the id, so that hooks after it run; otherwise it throws `MODEL_NOT_FOUND`.',
  filtersEmbeddedByWhere: 'In a filter of embedded records only `where` and `include` apply.',
  includesWholeEmbedded: 'An included record of `embedsOne` is shown regardless of the scope.',
  answersNullBetween: 'A nested route through a to-one relation without a record returns null; otherwise 404.',
  validatesRepeatedLinks: 'The data of a repeated link is validated; otherwise it is ignored.',

  needsShownKeys:
    'If `fields` omits a key, related records are not included, or the request is refused; otherwise the key is read but not shown.',
  testsRelationNames:
    'Operators below the name of a relation, such as `{"books": {"neq": "x"}}`, test a property that no record has; otherwise 400. Properties of related records take precedence over `some`, `none`, `every` and `count`.',
  findsNoObjects:
    'An object without operators equals nothing; otherwise a point equals the same point, and other objects are 400.',
  includesFirstName: 'In an include such as `{"books": "reviews", "agent": true}` only the first key applies.',
  includesLastOfOne: 'If a hasOne has several records, the last one is included; otherwise the first, as with `GET`.',
  pagesEachRecord:
    '`limit`, `skip` and `order` of an include through a third model, or of references, treat each record as a page of its own.',
  pagesBeforeOrdering: 'References are paginated before they are sorted by the order of the keys.',
  addsKeysToScopes:
    'The key joins records whatever the `fields` of a scope say, so that `{"notes": false}` leaves only the key, and overrides a condition on it.',
  showsIncludedKeys:
    '`fields` of an include also show the keys of nested belongsTo includes; as an object they only show keys if something is nested.',

  cutsPasswords: 'Only the first 72 bytes of a password are compared; otherwise longer ones never match.',
  letsClientsCache: 'Answers to requests with a token are `Cache-Control: private`; otherwise `no-store`, with `Vary`.',
  patchesPasswords:
    '`rejectPasswordChangesViaPatchOrReplace` is false unless the model sets it; otherwise it applies to clients.',
  opensResetTokens: '`restrictResetPasswordTokenScope` is false unless the model sets it.',
  letsClientsChooseRealm: '`clientsChooseRealm` is true unless the model sets it.',
  revealsUnverified:
    'A reset for an address that is not verified is a 401 `RESET_FAILED_EMAIL_NOT_VERIFIED`; otherwise 204.'
}

/** What version 2 answers and version 3 does not, in `compat` mode and without. */
const inVersion2 = {
  patchesOnPUT: '`PUT` of a record or of the collection updates partially, unless `replaceOnPUT` is true.',
  takesClientIds:
    "A client's id is stored even if ids are generated, unless `forceId` forbids it; an unknown id creates a record.",
  upsertsLists: '`PATCH` and `PUT` of the collection accept lists, whose records are created.',
  corsByDefault: 'CORS allows every origin, unless `remoting.cors` says otherwise.',
  showsErrorStatus:
    'Errors are always JSON, with `status` in addition to `statusCode`; 5xx show name and message, and the stack unless `errors.disableStackTrace` is set, or in production.',
  allowsDottedNames: 'Property names may contain dots.',
  ignoresUnknownMixins: 'An unknown mixin is ignored.',
  allowsModelNamedFile: 'A model may be named File.',
  createReturnsInstance: '`create()` called with a callback also returns the instance.',
  emitsModelEvents: 'Models emit `changed`, `deleted` and `deletedAll`.',
  readsIsStatic: '`remoteMethod` reads `isStatic`.',
  hasCurrentContext: '`loopback.getCurrentContext` exists.',
  storesNaNAsNull: 'An invalid number is stored as null.',
  readsArgumentsLoosely:
    'Arguments: strings other than booleans are true, the empty string is 0 or false, and JSON scalars are converted.',
  takesBlankArguments: 'null and the empty string are accepted for a required argument.'
}

/** A behaviour of LoopBack, named for what happens if it holds. */
export type RuleName = keyof typeof inCompat | keyof typeof inVersion2

/** Which behaviours hold, by name. All are false for native Modelwire applications. */
export type Rules = Readonly<Record<RuleName, boolean>>

/** Every rule with a description of LoopBack's behaviour, grouped by what enables it: shown in `docs/wire-protocol.md`. */
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
