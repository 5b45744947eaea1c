;;; signature-ls.el --- Signature strings, the contracts of LLM agents and tools  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Modes for catalogs (`.sig'), prompt files (`.prompt') and `signature-ls.toml', and the server `signature-ls'
;; for eglot.
;; See docs/editors.md for the use in Elixir, Clojure and Markdown buffers.

;;; Code:

(require 'conf-mode)
(require 'eglot)

(defvar signature-ls-catalog-keywords
  '(("^[ \t]*[#;].*$" . font-lock-comment-face)
    ("^\\([A-Za-z_][A-Za-z0-9_./-]*[?!]?\\)\\s-*(" 1 font-lock-function-name-face)
    ("^[ \t]+\\([^] \t:[{(})-].*\\)$" 1 font-lock-doc-face)
    (":\\(?:string\\|int\\|float\\|bool\\(?:ean\\)?\\|keyword\\|datetime\\|map\\|any\\)\\_>"
     . font-lock-type-face)
    ("->" . font-lock-keyword-face))
  "Font-lock keywords of catalogs.")

(defvar signature-ls-prompt-keywords
  '(("{{![^}]*}}" . font-lock-comment-face)
    ("{{[ \t]*\\([#^/]\\)?[ \t]*\\([^ \t}]+\\)[ \t]*}}"
     (1 font-lock-keyword-face nil t)
     (2 font-lock-variable-name-face))
    ("^signature:" . font-lock-keyword-face))
  "Font-lock keywords of prompt files.")

;;;###autoload
(define-derived-mode signature-catalog-mode prog-mode "Signatures"
  "Major mode for catalogs of tools, as they are shown to a model."
  (modify-syntax-entry ?_ "_")
  (modify-syntax-entry ?- "_")
  (setq-local comment-start "# "
              comment-start-skip "[#;]+[ \t]*"
              indent-tabs-mode nil)
  (setq-local font-lock-defaults '(signature-ls-catalog-keywords t)))

;;;###autoload
(define-derived-mode signature-prompt-mode text-mode "Prompt"
  "Major mode for prompt files: front matter with a signature, then a template."
  (setq-local comment-start "{{! "
              comment-end " }}"
              comment-start-skip "{{![ \t]*"
              comment-end-skip "[ \t]*}}")
  (setq-local font-lock-defaults '(signature-ls-prompt-keywords t)))

;;;###autoload
(define-derived-mode signature-settings-mode conf-toml-mode "Signature settings"
  "Major mode for `signature-ls.toml', the settings of a folder.")

(put 'signature-settings-mode 'eglot-language-id "toml")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.sig\\'" . signature-catalog-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("/signature-ls\\.toml\\'" . signature-settings-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.prompt\\(?:\\.md\\)?\\'" . signature-prompt-mode))

(add-to-list 'eglot-server-programs
             '((signature-catalog-mode signature-prompt-mode signature-settings-mode) . ("signature-ls")))

(provide 'signature-ls)
;;; signature-ls.el ends here
