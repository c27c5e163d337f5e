;;; kinetree.el --- Kinetree in Emacs: the language server, and the element at the cursor in the window  -*- lexical-binding: t -*-

(defvar kinetree-command "kinetree" "The program, or the path of the script run of a checkout.")

(add-to-list 'auto-mode-alist '("\\.\\(urdf\\|mjcf\\)\\'" . nxml-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(nxml-mode . (,kinetree-command "lsp"))))
(add-hook 'nxml-mode-hook #'eglot-ensure)

(defun kinetree-show ()
  "Show the element at the cursor in Kinetree's window."
  (interactive)
  (unless (executable-find kinetree-command)
    (user-error "Kinetree was not found: pipx install kinetree, or set kinetree-command"))
  (save-buffer) ; the window reads the file
  (call-process kinetree-command nil 0 nil "--goto"
                (format "%s:%d:%d" (buffer-file-name) (line-number-at-pos nil t)
                        (1+ (- (point) (line-beginning-position))))))

(with-eval-after-load 'nxml-mode
  (define-key nxml-mode-map (kbd "C-c k") #'kinetree-show))

(require 'server) ; "Open in External Editor" of the window finds this Emacs
(unless (server-running-p) (server-start))

(provide 'kinetree)
;;; kinetree.el ends here
