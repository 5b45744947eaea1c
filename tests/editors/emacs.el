;;; emacs.el --- Drives the server through Emacs and eglot  -*- lexical-binding: t; -*-

;; Run by ./run in batch mode with the program on the PATH; $FIXTURES is a folder with the files.
;; Exits with 1 if a test failed.

(require 'cl-lib)
(load (expand-file-name "../../editors/emacs/signature-ls.el" (file-name-directory load-file-name)) nil t)
(require 'flymake)

(setq eglot-sync-connect 60
      eglot-autoshutdown nil
      make-backup-files nil)

(defvar tests-passed 0)
(defvar tests-failed 0)

(defmacro test (name &rest body)
  `(condition-case problem
       (progn ,@body
              (cl-incf tests-passed)
              (message "ok   %s" ,name))
     (error (cl-incf tests-failed)
            (message "FAIL %s: %S" ,name problem))))

(defun wait-for (what condition)
  "Waits until CONDITION returns a value and returns it."
  (let ((end (+ (float-time) 60)) result)
    (while (not (setq result (funcall condition)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    result))

(defun findings ()
  "The text under each finding."
  (mapcar (lambda (finding)
            (buffer-substring-no-properties (flymake-diagnostic-beg finding) (flymake-diagnostic-end finding)))
          (flymake-diagnostics)))

(defun wait-for-findings (expected)
  (wait-for (format "the findings %S, have %S" expected (findings))
            (lambda () (equal (findings) expected))))

(defun tell-changes ()
  "Does what eglot does when Emacs is idle, which it never is in batch mode."
  (eglot--signal-textDocument/didChange))

(defun open-fixture (name)
  (find-file (expand-file-name name (getenv "FIXTURES")))
  (apply #'eglot (eglot--guess-contact)))

(dolist (case '(("letter.prompt" signature-prompt-mode "topics")
                ("ours.prompt.md" signature-prompt-mode "user")
                ("tools.sig" signature-catalog-mode "limit")))
  (cl-destructuring-bind (file mode word) case
    (test (concat file " is recognised, and its server starts")
      (open-fixture file)
      (cl-assert (eq major-mode mode)))
    (test (concat file " shows the mistake, just that")
      (wait-for-findings '(":strng")))
    (test (concat file " explains on hover")
      (goto-char (point-min))
      (search-forward word)
      (backward-char)
      (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                    (eglot--TextDocumentPositionParams))))
        (cl-assert (string-match-p word (format "%S" hover)))))
    (test (concat file " is fixed by a quick fix")
      (goto-char (point-min))
      (search-forward ":str")
      (let ((fix (cl-find-if (lambda (action) (string-match-p ":string" (plist-get action :title)))
                             (eglot-code-actions (point) (point) "quickfix"))))
        (eglot--apply-workspace-edit (plist-get fix :edit)))
      (tell-changes)
      (wait-for-findings nil)
      (goto-char (point-min))
      (cl-assert (not (search-forward ":strng" nil t))))
    (test (concat file " is followed while one types")
      (goto-char (point-min))
      (search-forward ":string")
      (insert "😀")
      (delete-char -1)
      (delete-char -6)
      (insert "strng")
      (tell-changes)
      (wait-for-findings '(":strng")))))

(defun open-names (place)
  "Opens a fresh names.prompt and goes after PLACE."
  (open-fixture "names.prompt")
  (revert-buffer t t t)
  (goto-char (point-min))
  (search-forward place))

(defun has-text (text)
  (save-excursion
    (goto-char (point-min))
    (search-forward text nil t)))

(test "placeholders are completed path by path"
  (open-names "{{filter.")
  (tell-changes)
  (pcase-let ((`(,_ ,_ ,table . ,_) (eglot-completion-at-point)))
    (let ((labels (mapcar #'substring-no-properties (all-completions "" table))))
      (cl-assert (member "tag" labels) t)
      (cl-assert (member "limit" labels) t)
      (cl-assert (not (member "query" labels)) t))))

(test "a placeholder leads to its parameter"
  (open-names "{{quer")
  (let* ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))
         (location (xref-item-location (car found))))
    (cl-assert (= (xref-location-line location) 3) t)))

(test "a parameter is renamed with its placeholder"
  (open-names "(quer")
  (eglot-rename "question")
  (cl-assert (has-text "(question :string"))
  (cl-assert (has-text "{{question}}"))
  (cl-assert (not (has-text "query")))
  (set-buffer-modified-p nil))

(test "the outline has parameters and fields"
  (open-names "{{quer")
  (let ((outline (format "%S" (eglot-imenu))))
    (dolist (name '("query" "filter" "tag" "count"))
      (cl-assert (string-match-p name outline) t))))

(test "a refactoring makes a parameter optional"
  (open-names "(query :str")
  (let ((action (cl-find-if (lambda (action) (string-match-p "optional" (plist-get action :title)))
                            (eglot-code-actions (point) (point) "refactor.rewrite"))))
    (eglot--apply-workspace-edit (plist-get action :edit)))
  (cl-assert (has-text "(query :string?"))
  (set-buffer-modified-p nil))

(test "check --fix changes a file that a buffer then shows"
  (let ((file (expand-file-name "mistakes.yaml" (getenv "FIXTURES"))))
    (call-process "signature-ls" nil nil nil "check" "--fix" file)
    (find-file file)
    (cl-assert (has-text "(id :int, name :string)"))))

(test "the settings file has diagnostics and completion"
  (open-fixture "settings/signature-ls.toml")
  (cl-assert (eq major-mode 'signature-settings-mode))
  (wait-for-findings '("\"0.6\""))
  (goto-char (point-max))
  (insert "unused")
  (tell-changes)
  (pcase-let ((`(,_ ,_ ,table . ,_) (eglot-completion-at-point)))
    (cl-assert (member "unused-parameter" (mapcar #'substring-no-properties (all-completions "" table))) t))
  (set-buffer-modified-p nil))

(test "a catalog is coloured"
  (find-file (expand-file-name "tools.sig" (getenv "FIXTURES")))
  (cl-assert (eq major-mode 'signature-catalog-mode))
  (font-lock-ensure)
  (pcase-dolist (`(,word ,face) '(("search" font-lock-function-name-face)
                                  (":int" font-lock-type-face)
                                  ("->" font-lock-keyword-face)
                                  ("Search" font-lock-doc-face)
                                  ("Tools" font-lock-comment-face)))
    (goto-char (point-min))
    (let ((case-fold-search nil)) (search-forward word))
    (cl-assert (eq (get-text-property (1- (point)) 'face) face) t)))

(test "comments are written as the modes have them"
  (with-temp-buffer
    (signature-catalog-mode)
    (insert "search")
    (comment-region (point-min) (point-max))
    (cl-assert (equal (buffer-string) "# search"))))

(message "emacs: %d passed, %d failed" tests-passed tests-failed)
(kill-emacs (if (and (> tests-passed 0) (= tests-failed 0)) 0 1))
