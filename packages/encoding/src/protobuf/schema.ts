// What a Protobuf message of Kubernetes is, as data: its fields in the order of its JSON form.

/** Integers are never zigzag, never fixed; a double is. */
export type Scalar = 'string' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes';

/** Messages whose JSON isn't an object with their fields. own-forms.ts knows them. */
export type OwnName =
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'RawExtension'
  | 'FieldsV1'
  | 'JSON';

export type Form =
  | { readonly kind: Scalar }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'own'; readonly name: OwnName }
  | { readonly kind: 'list'; readonly element: Form }
  /** A map with text for keys. */
  | { readonly kind: 'map'; readonly value: Form }
  /** A list in JSON; a message with one repeated field 1 here. */
  | { readonly kind: 'wrapped'; readonly name: string; readonly element: Form }
  /** One value in JSON; a message with one field for objects and another for what isn't an object. */
  | {
      readonly kind: 'either';
      readonly name: string;
      readonly object: MessageField;
      readonly other: MessageField;
    };

export type MessageField = {
  readonly number: number;
  /** Empty: a message here, its members among ours in JSON. */
  readonly json: string;
  /** Its name in Go, for errors. */
  readonly go: string;
  readonly form: Form;
  /** Left out when it isn't there. All others but lists, maps and bytes are written even when they are zero. */
  readonly pointer: boolean;
  /** Of a pointer: null in JSON stands for one to zero, since none at all is left out there. */
  readonly nullIsZero?: boolean;
};

export type Message = {
  /** Its name in Go, for errors. */
  readonly name: string;
  /** In the order of JSON. Read when the message is first used: messages may contain themselves. */
  readonly fields: readonly MessageField[];
};
