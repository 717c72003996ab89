import globals from 'globals';

export default [
  {
    files: ['**/*.js'],
    ignores: ['**/*.min.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: { ...globals.browser } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      complexity: ['error', 15],
      'default-case-last': 'error',
      eqeqeq: 'error',
      'no-constant-condition': 'error',
      'no-dupe-keys': 'error',
      'no-eval': 'error',
      'no-fallthrough': 'error',
      'no-implied-eval': 'error',
      'no-redeclare': 'error',
      'no-self-compare': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-useless-escape': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
  { files: ['tests/**/*.js', '**/*.test.js'], languageOptions: { globals: globals.nodeBuiltin } },
];
