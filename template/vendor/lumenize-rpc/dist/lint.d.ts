declare const _default: {
  meta: {
    name: string;
  };
  rules: {
    'no-async-storage': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-guessable-id': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-idle-async': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-lost-socket': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-lost-update': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-missing-await': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-missing-method': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-missing-sqlite': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-shared-client': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-timer': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-type-engine': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-unknown-keyword': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-unlisted-method': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
    'no-unstored-field': {
      meta: {
        type: string;
        schema: never[];
        docs: {
          url: string;
        };
      };
      create: (context: any) => {
        'Program:exit'(): void;
      };
    };
  };
};
export { _default as default };